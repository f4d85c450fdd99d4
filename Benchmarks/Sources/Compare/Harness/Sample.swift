import CMachine

struct Sample {
    /// The cost of all work in the sample, not of each item.
    var value: Double

    /// Whether a thread waited for a core during the sample, which makes the measurement useless.
    var wasDisturbed = false

    /// Measures work on the current thread. Each call begins at another place of the stack.
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

    /// Measures work of several threads. They also wait for each other, so only long waits count as a disturbance.
    static func acrossThreads(_ work: () async throws -> Void) async rethrows -> Sample {
        let waited = machine_waited_nanoseconds()
        let began = ContinuousClock.now
        try await work()
        let elapsed = began.duration(to: .now).nanoseconds
        return Sample(value: elapsed, wasDisturbed: Double(machine_waited_nanoseconds() - waited) > elapsed / 2)
    }
}

extension Duration {
    var nanoseconds: Double { self / .nanoseconds(1) }
}
