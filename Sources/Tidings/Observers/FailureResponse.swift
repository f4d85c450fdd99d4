/// What follows when an asynchronous observer throws an error.
///
/// With each of them, the error stands in the ``DeliveryReceipt`` of a `deliver` that waits for the call, and monitors are told
/// ``NotificationEvent/failed(_:)``. It ends nothing else: the next notification follows as usual.
public struct FailureResponse: Sendable {
    fileprivate enum Kind: Sendable {
        case report
        case end
        case call(@Sendable (any Error) -> Void)
    }

    fileprivate let kind: Kind

    /// The error is reported, and nothing else.
    public static let report = FailureResponse(kind: .report)

    /// The observation ends, and what waits for the observer is discarded.
    public static let end = FailureResponse(kind: .end)

    /// A closure is called with the error, where the observer runs. It returns before the call counts as ended: a `deliver` that
    /// waits for the call waits for the closure, too.
    ///
    /// - Parameter respond: The closure. It is released with the observer.
    /// - Returns: The response.
    public static func call(_ respond: @escaping @Sendable (any Error) -> Void) -> FailureResponse {
        FailureResponse(kind: .call(respond))
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
    @usableFromInline let respond: (@Sendable (any Error) -> Void)?

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
