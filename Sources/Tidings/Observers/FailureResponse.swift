/// What follows when an asynchronous observer throws an error.
///
/// With each of them, the error stands in the ``DeliveryReceipt`` of a `deliver` that waits for the call, and monitors are told
/// ``NotificationEvent/failed(_:)``. It ends nothing else: the next notification follows as usual, and this one is not handed to the
/// observer again, unless ``retry(after:then:keepingOrder:clock:)`` says so. What is given up is counted:
/// see ``NotificationStatistics/Row/failures`` and ``ObservationStatus/failed``.
public struct FailureResponse: Sendable {
    fileprivate enum Kind: Sendable {
        case report
        case end
        case call(@Sendable (any Error) -> Void)
    }

    fileprivate let kind: Kind

    /// How the notification is handed to the observer again before that; `nil` if it is not.
    @export(implementation) let retries: RetryPlan?

    private init(_ kind: Kind, after retries: RetryPlan? = nil) {
        self.kind = kind
        self.retries = retries
    }

    /// The error is reported, and nothing else.
    public static let report = FailureResponse(.report)

    /// The observation ends, and what waits for the observer is discarded.
    public static let end = FailureResponse(.end)

    /// A closure is called with the error, where the observer runs. It returns before the call counts as ended: a `deliver` that
    /// waits for the call waits for the closure, too.
    ///
    /// - Parameter respond: The closure. It is released with the observer.
    /// - Returns: The response.
    public static func call(_ respond: @escaping @Sendable (any Error) -> Void) -> FailureResponse {
        FailureResponse(.call(respond))
    }

    /// The observer is called again with the notification, some time later: as many times as there are delays, until it does not throw.
    ///
    /// ```swift
    /// center.addObserver(mailer, on: .actor, for: Placed.self, onFailure: .retry(after: [.seconds(1), .seconds(10)])) { me, note in
    ///     try await me.send(note.order)
    /// }
    /// ```
    ///
    /// Meanwhile the notification waits, as others do that the observer has not handled. A `deliver` waits for it, and so do `drain`
    /// and `finish`, which name the observer if their time is over before; ``ObservationStatus/retrying`` counts it. Cancelling the
    /// token or the death of the owner discards it. Each error is reported to monitors; the receipt of a `deliver` has the last one, if the
    /// notification is given up.
    ///
    /// Nothing of this survives the process: see `TidingsOutbox` for what does.
    ///
    /// - Parameters:
    ///   - delays: How long to wait before the second call, before the third, and so on. One that is not positive is none.
    ///   - response: What follows when the observer throws an error in the last call. A retry goes on with its own delays.
    ///   - keepsOrder: Whether the notifications behind wait until this one has been handled or given up. The one that waits for its
    ///     next call then does not count against the limit of a ``BufferingPolicy``. If not, the observer is called with others
    ///     meanwhile, one at a time. Those that wait for their next call then count, as the oldest: where there is no room for one, it is
    ///     given up.
    ///   - clock: The clock that measures the delays.
    /// - Returns: The response.
    public static func retry(
        after delays: [Duration], then response: FailureResponse = .report, keepingOrder keepsOrder: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> FailureResponse {
        let all = delays + (response.retries?.delays ?? [])
        if all.isEmpty { return response }
        return FailureResponse(response.kind, after: RetryPlan(delays: all, keepsOrder: keepsOrder, clock: clock))
    }
}

extension FailureResponse {
    /// The closure to call with an error.
    ///
    /// - Parameter makeEnd: Makes the closure that ends the observation. It is called only if that is the response: the closure
    ///   may refer weakly to a bus that lives as long as the process, and leak checkers report the memory of such a reference.
    /// - Returns: The closure; `nil` if the error is reported and nothing else.
    @usableFromInline
    func respond(ending makeEnd: () -> @Sendable () -> Void) -> (@Sendable (any Error) -> Void)? {
        switch kind {
        case .report: return nil
        case .call(let closure): return closure
        case .end:
            let end = makeEnd()
            return { _ in end() }
        }
    }
}

/// Responds to the errors of one observer. To end the observation, it is told of it once the observer is registered.
@usableFromInline
struct FailureResponder: Sendable {
    /// Called with the error; `nil` if it is reported and nothing else.
    @export(implementation) let respond: (@Sendable (any Error) -> Void)?

    /// Ends the observation, if that is the response.
    private let ending: ObservationEnding?

    @usableFromInline
    init(_ response: FailureResponse) {
        guard case .end = response.kind else {
            (respond, ending) = (response.respond { {} }, nil)
            return
        }
        let ending = ObservationEnding()
        (respond, self.ending) = (response.respond { { ending.end() } }, ending)
    }

    /// Notes the observation that the observer was registered as.
    @usableFromInline
    func isRegistered(as observation: any ObserverHandle) { ending?.set(observation) }
}

/// Ends an observation from inside its observer, which may be called before the observation is known.
///
/// Only the observer may hold it, as it refers to the observation, which may refer to the observer: the end of the observation
/// breaks that cycle.
private final class ObservationEnding: Sendable {
    private enum State {
        case unknown
        case known(any ObserverHandle)
        case ended
    }

    private let state = Lock(State.unknown)

    func set(_ observation: any ObserverHandle) {
        let hasEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .known(observation)
            return false
        }
        if hasEnded { observation.cancel() }
    }

    func end() {
        let state = state.withLock { state in
            let previous = state
            state = .ended
            return previous
        }
        if case .known(let observation) = state { observation.cancel() }
    }
}
