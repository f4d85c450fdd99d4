import TidingsFoundation

#if InspectorServer
    import TidingsInspector
#endif

/// One source, the center to which it posts, and all observers.
@MainActor
final class Session {
    private let source: any LineSource
    private let center = CountingCenter(forwardingTo: NativeNotificationCenter())
    private let bus = MessageBus<Message>()
    private let statistics = Statistics(startingAt: .now)
    private let remarks = Remarks()
    private let interrupts: Interrupts
    private var tokens: [NotificationToken] = []
    #if NATS
        private var relay: LineRelay?

        convenience init(_ source: any LineSource, relay: LineRelay) {
            self.init(source)
            self.relay = relay
            center.addObserver(for: OutputLine.self, sender: source) { relay.send($0) }.store(in: &tokens)
            center.addObserver(for: ErrorLine.self, sender: source) { relay.send($0) }.store(in: &tokens)
        }
    #endif

    init(_ source: any LineSource) {
        self.source = source
        interrupts = Interrupts(postingTo: center)
        bus.add(remarks)
        observe(OutputLine.self)
        observe(ErrorLine.self)
        center.addObserver(statistics, on: .actor, for: Ended.self, sender: source) { me, note in me.end(at: note.time)
        }
    }

    #if InspectorServer
        /// Serves an inspector of the center and the bus, and prints its address, before anything runs.
        func inspect() async throws {
            try await Inspector(of: center, Inspected(bus, named: "remarks")).serve {
                Terminal.tell("inspector at \($0)")
            }
        }
    #endif

    /// Prints lines as they arrive, counts them, and checks for odd ones.
    private func observe<Note: LineNotification>(_ type: Note.Type) {
        center.addObserver(for: type, sender: source) { note in Terminal.pass(on: note.line, from: Note.stream) }
            .store(in: &tokens)
        center.addObserver(statistics, on: .actor, for: type, sender: source) { me, note in me.count(note) }
        let inspector = LineInspector(messages: bus)
        center.addObserver(for: type, sender: source) { note in inspector.inspect(note) }.store(in: &tokens)
    }

    func run() async throws -> Int32 {
        let ending = try await source.run(postingTo: center)
        await center.deliver(Ended(sender: source, ending: ending, time: .now))
        bus.dispatch(.ended)

        let summary = await Summary(
            title: source.title, ending: ending, output: statistics.output, errors: statistics.errors,
            longestSilence: statistics.longestSilence, remarks: remarks.all(), posts: center.posts,
            deliveries: center.deliveries)
        for line in summary.lines { Terminal.tell(line) }
        #if NATS
            await relay?.finish()
        #endif
        return ending.exitStatus
    }
}

/// A center that forwards to another center and counts posts and deliveries.
final class CountingCenter: TypedNotificationCenter {
    private let base: any TypedNotificationCenter
    private let postCount = Atomic(0)
    private let deliveryCount = Atomic(0)

    init(forwardingTo base: any TypedNotificationCenter) { self.base = base }

    var posts: Int { postCount.load(ordering: .relaxed) }

    var deliveries: Int { deliveryCount.load(ordering: .relaxed) }

    var underlyingCenter: (any TypedNotificationCenter)? { base }

    @discardableResult
    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        let calls = base.post(notification, from: place)
        postCount.wrappingAdd(1, ordering: .relaxed)
        deliveryCount.wrappingAdd(calls, ordering: .relaxed)
        return calls
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        base.observe(type, sender: sender, registration: registration, using: observer)
    }
}
