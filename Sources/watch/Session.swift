import TidingsFoundation

/// One source, the center to which it posts, and all who observe it.
@MainActor
final class Session {
    private let source: any LineSource
    private let center = CountingCenter(forwardingTo: NativeNotificationCenter())
    private let bus = MessageBus<Message>()
    private let statistics = Statistics(startingAt: .now)
    private let remarks = Remarks()
    private let interrupts: Interrupts
    private var tokens: [NotificationToken] = []

    init(_ source: any LineSource) {
        self.source = source
        interrupts = Interrupts(postingTo: center)
        bus.add(remarks)
        observe(OutputLine.self)
        observe(ErrorLine.self)
        center.addObserver(on: statistics, for: Ended.self, sender: source) { me, note in me.end(at: note.time) }
    }

    /// Prints lines, as they come, counts them, and looks for odd ones.
    private func observe<Note: LineNotification>(_ type: Note.Type) {
        center.addObserver(for: type, sender: source) { note in Terminal.pass(on: note.line, from: Note.stream) }
            .store(in: &tokens)
        center.addObserver(on: statistics, for: type, sender: source) { me, note in me.count(note) }
        let inspector = Inspector(messages: bus)
        center.addObserver(for: type, sender: source) { note in inspector.inspect(note) }.store(in: &tokens)
    }

    /// Watches the source to its end, and returns the exit status that tells how it ended.
    func run() async throws -> Int32 {
        let ending = try await source.run(postingTo: center)
        await center.deliver(Ended(sender: source, ending: ending, time: .now))
        bus.dispatch(.ended)

        let summary = await Summary(
            title: source.title, ending: ending, output: statistics.output, errors: statistics.errors,
            longestSilence: statistics.longestSilence, remarks: remarks.all(), posts: center.posts,
            deliveries: center.deliveries)
        for line in summary.lines { Terminal.tell(line) }
        return ending.exitStatus
    }
}
