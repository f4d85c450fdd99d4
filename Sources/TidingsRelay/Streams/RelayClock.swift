/// The time since the relay was made, which the state machines are told, and pauses in it.
struct RelayClock: Sendable {
    private let time: @Sendable () -> Duration
    private let pause: @Sendable (Duration) async throws -> Void

    /// - Parameter clock: The clock that is asked.
    init(_ clock: any Clock<Duration>) {
        func open(_ clock: some Clock<Duration>) -> RelayClock { RelayClock(opened: clock) }
        self = open(clock)
    }

    private init<C: Clock>(opened clock: C) where C.Duration == Duration {
        let beginning = clock.now
        time = { beginning.duration(to: clock.now) }
        pause = { try await clock.sleep(for: $0) }
    }

    var now: Duration { time() }

    /// Returns when the time is over.
    ///
    /// - Throws: An error if the task is cancelled.
    func sleep(for duration: Duration) async throws { try await pause(duration) }
}
