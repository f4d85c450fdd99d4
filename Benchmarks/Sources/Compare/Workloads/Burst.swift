import CMachine

/// What is measured of a burst: the time that goes by, or what it takes of all processors.
enum BurstFigure { case elapsed, processorTime }

/// Messages that are sent all at once and arrive later.
extension Contender {
    /// Sends messages and waits until each consumer got all of them.
    ///
    /// The time is divided among the consumers, so that it is that of a delivery.
    ///
    /// - Parameters:
    ///   - subject: Who delivers.
    ///   - tallies: What the consumers count with.
    ///   - courier: Whatever has to live as long as messages are delivered.
    ///   - figure: What is measured.
    ///   - send: Sends a number of messages.
    /// - Returns: The contender.
    @MainActor
    static func burst(
        _ subject: Subject, to tallies: [Tally], keeping courier: Any, _ figure: BurstFigure = .elapsed,
        send: @escaping @MainActor (Int) async -> Void
    ) -> Contender {
        var sent = 0
        return Contender(subject: subject, parameter: tallies.count) { count in
            for tally in tallies { tally.expect(count) }
            let began = machine_process_nanoseconds()
            var sample = await Sample.acrossThreads {
                await send(count)
                for tally in tallies { await tally.wait() }
            }
            if figure == .processorTime { sample.value = Double(machine_process_nanoseconds() - began) }
            sent += count
            sample.value /= Double(tallies.count)
            return withExtendedLifetime(courier) { sample }
        } finish: {
            for tally in tallies { try Miscount.check(subject, tally.count, sent) }
        }
    }
}

/// An actor that counts what it gets.
actor CountingActor {
    nonisolated let tally = Tally()

    func add() { tally.add() }

    /// Runs something inside the actor.
    func run(_ body: @Sendable () -> Void) { body() }

    /// Counts what a sequence brings until it ends.
    func count(_ messages: some AsyncSequence<Ping, Never>) async {
        for await _ in messages { add() }
    }
}
