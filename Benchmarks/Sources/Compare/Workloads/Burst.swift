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
    ///   - send: Sends a number of messages.
    /// - Returns: The contender.
    @MainActor
    static func burst(
        _ subject: Subject, to tallies: [Tally], keeping courier: Any, send: @escaping @MainActor (Int) async -> Void
    ) -> Contender {
        var sent = 0
        return Contender(subject: subject, parameter: tallies.count) { count in
            for tally in tallies { tally.expect(count) }
            var sample = await Sample.acrossThreads {
                await send(count)
                for tally in tallies { await tally.wait() }
            }
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

    /// Counts what a sequence brings until it ends.
    func count(_ messages: some AsyncSequence<Ping, Never>) async {
        for await _ in messages { add() }
    }
}
