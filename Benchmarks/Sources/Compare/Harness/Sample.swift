import CMachine

/// One measurement: how long some work took, or how much of something it used.
struct Sample {
    /// The nanoseconds, bytes or whatever the workload counts, of all the work together.
    var value: Double

    /// Whether a thread waited for a core meanwhile, so that the measurement is worth nothing.
    var wasDisturbed = false

    /// Measures work on the calling thread, each time at another place of its stack.
    static func onThread(_ work: () throws -> Void) rethrows -> Sample {
        try StackDepth.vary {
            let switches = machine_switches_of_thread()
            let running = machine_thread_nanoseconds()
            let began = ContinuousClock.now
            try work()
            let elapsed = began.duration(to: .now).nanoseconds
            let ran = Double(machine_thread_nanoseconds() - running)
            return Sample(
                value: elapsed, wasDisturbed: machine_switches_of_thread() != switches || ran < 0.97 * elapsed - 1000)
        }
    }

    /// Measures work that awaits, on whatever threads. They also wait for each other, so only long waits count.
    static func acrossThreads(_ work: () async throws -> Void) async rethrows -> Sample {
        let waited = machine_waited_nanoseconds()
        let began = ContinuousClock.now
        try await work()
        let elapsed = began.duration(to: .now).nanoseconds
        return Sample(value: elapsed, wasDisturbed: Double(machine_waited_nanoseconds() - waited) > elapsed / 2)
    }
}

extension Duration {
    /// The duration in nanoseconds.
    var nanoseconds: Double { self / .nanoseconds(1) }
}
