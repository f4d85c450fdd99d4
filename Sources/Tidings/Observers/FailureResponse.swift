/// The response to an error that an asynchronous observer throws.
///
/// With every response, the error is contained in the ``DeliveryReceipt`` of a `deliver` that waits for the call,
/// monitors receive ``NotificationEvent/failed(_:)``, and the failure is counted: see ``ObservationStatus/failed``.
/// Without ``retry(after:then:keepingOrder:clock:)``, the notification isn't delivered to the observer again.
public struct FailureResponse: Sendable {
    fileprivate enum Kind: Sendable {
        case report
        case end
        case call(@Sendable (any Error) -> Void)
    }

    fileprivate let kind: Kind
    @export(implementation) let retries: RetryPlan?

    private init(_ kind: Kind, after retries: RetryPlan? = nil) {
        self.kind = kind
        self.retries = retries
    }

    /// Reports the error, and does nothing else.
    public static let report = FailureResponse(.report)

    /// Ends the observation, and discards its queue.
    public static let end = FailureResponse(.end)

    /// Calls a closure with the error, in the context of the observer. A `deliver` that waits for the failed call also
    /// waits for the closure.
    ///
    /// - Parameter respond: The closure. It is released with the observer.
    /// - Returns: The response.
    public static func call(_ respond: @escaping @Sendable (any Error) -> Void) -> FailureResponse {
        FailureResponse(.call(respond))
    }

    /// Retries the notification. The observer is called with it again after each delay, until a call doesn't throw.
    ///
    /// ```swift
    /// center.addObserver(mailer, on: .actor, for: Placed.self, onFailure: .retry(after: [.seconds(1), .seconds(10)])) { me, note in
    ///     try await me.send(note.order)
    /// }
    /// ```
    ///
    /// While a notification is being retried, it counts as unhandled: `deliver`, `drain` and `finish` wait for it, and
    /// ``ObservationStatus/retrying`` counts it. The notification is discarded if the token is cancelled or the owner
    /// is deallocated. Each error is reported to monitors. A receipt contains an error only if the last call throws.
    ///
    /// Retries don't survive the process. For retries that do, see `TidingsOutbox`.
    ///
    /// - Parameters:
    ///   - delays: The delay before the second call, before the third, and so on. A negative delay counts as zero.
    ///   - response: The response to an error in the last call. If the response is another retry, its delays follow,
    ///     but its `keepingOrder` and its `clock` are ignored.
    ///   - keepsOrder: Whether later notifications wait until the retried one has been handled or has failed. If so,
    ///     the retried one doesn't count towards the limit of a ``BufferingPolicy``. If not, later ones are delivered
    ///     meanwhile. The retried one then counts as the oldest in the buffer, and fails if the buffer has no room.
    ///   - clock: The clock that measures the delays.
    /// - Returns: The response.
    public static func retry(
        after delays: [Duration], then response: FailureResponse = .report, keepingOrder keepsOrder: Bool = true,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> FailureResponse {
        let all = delays + (response.retries?.delays ?? [])
        if all.isEmpty { return response }
        let last: NotificationFailure.Retry.LastResponse =
            switch response.kind {
            case .report: .giveUp
            case .end: .endObservation
            case .call: .callClosure
            }
        return FailureResponse(
            response.kind, after: RetryPlan(delays: all, keepsOrder: keepsOrder, clock: clock, last: last))
    }
}

extension FailureResponse {
    /// Returns the closure to call with an error, if any. `makeEnd` is only called for ``end``, because its result may
    /// refer weakly to a bus that lives as long as the process, and leak checkers report such a reference.
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

/// Responds to an observer's errors. After the registration, call `isRegistered(as:)`, so that `.end` takes effect.
@usableFromInline
struct FailureResponder: Sendable {
    @export(implementation) let respond: (@Sendable (any Error) -> Void)?
    private let ending: ObservationEnding?

    @usableFromInline
    init(_ response: FailureResponse) {
        var ending: ObservationEnding?
        respond = response.respond {
            let made = ObservationEnding()
            ending = made
            return { made.end() }
        }
        self.ending = ending
    }

    @usableFromInline
    func isRegistered(as observation: any ObserverHandle) { ending?.set(observation) }
}

/// Ends an observation when the observer throws. `end` may be called before `set`. Only the observer may hold this
/// object, because the observer, this object and the observation form a reference cycle until the observation ends.
private final class ObservationEnding: Sendable {
    private let state = Lock<(observation: (any ObserverHandle)?, hasEnded: Bool)>((nil, false))

    func set(_ observation: any ObserverHandle) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.observation = observation }
            return state.hasEnded
        }
        if hasEnded { observation.cancel() }
    }

    func end() {
        let observation = state.withLock { state in
            state.hasEnded = true
            return state.observation.take()
        }
        observation?.cancel()
    }
}
