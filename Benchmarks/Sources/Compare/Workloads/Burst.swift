import CMachine

/// The figure that is measured for a burst: the elapsed time, or the processor time of all threads.
enum BurstFigure { case elapsed, processorTime }

/// Messages that are sent all at once and arrive later.
extension Contender {
    /// Sends messages, and waits until each consumer has received all of them.
    ///
    /// The time is divided by the number of consumers, which gives the time per delivery.
    ///
    /// - Parameters:
    ///   - subject: The subject that delivers.
    ///   - tallies: The consumers' counters.
    ///   - courier: A value that has to live as long as messages are delivered.
    ///   - figure: The figure to measure.
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

/// An actor that counts the messages it receives.
actor CountingActor {
    nonisolated let tally = Tally()

    func add() { tally.add() }

    /// Runs a closure inside the actor.
    func run(_ body: @Sendable () -> Void) { body() }

    /// Counts the elements of a sequence until it ends.
    func count(_ messages: some AsyncSequence<Ping, Never>) async {
        for await _ in messages { add() }
    }
}
