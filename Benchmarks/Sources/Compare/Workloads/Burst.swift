import CMachine

enum BurstFigure { case elapsed, processorTime }

extension Contender {
    /// Measures from the beginning of a burst until each consumer has received all messages. The result is the cost per
    /// message and consumer. `courier` is kept alive until the end.
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

actor CountingActor {
    nonisolated let tally = Tally()

    func add() { tally.add() }

    func run(_ body: @Sendable () -> Void) { body() }

    func count(_ messages: some AsyncSequence<Ping, Never>) async {
        for await _ in messages { add() }
    }
}
