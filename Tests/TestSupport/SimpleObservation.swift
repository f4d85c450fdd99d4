import Tidings

final class SimpleObservation: ObserverHandle {
    private struct State {
        /// `nil` once the observation has ended.
        var observer: (@Sendable (Any) -> Void)?
        var running = 0
        var draining: [CheckedContinuation<Void, Never>] = []
    }

    private let type: ObjectIdentifier
    private let isMeant: @Sendable (Any) -> Bool
    private let isSenderAlive: @Sendable () -> Bool
    let registration: ObserverRegistration
    private weak let home: SimpleCenter?
    private let state: Lock<State>

    init<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration, center: SimpleCenter,
        using observer: @escaping @Sendable (N) -> Void
    ) {
        self.type = ObjectIdentifier(type)
        isMeant = { notification in (notification as? N).map { sender.accepts($0.sender) } ?? false }
        isSenderAlive = { sender.isAlive }
        self.registration = registration
        home = center
        state = Lock(State(observer: { if let notification = $0 as? N { observer(notification) } }))
    }

    var center: ObjectIdentifier? { home.map { ObjectIdentifier($0) } }

    var isActive: Bool {
        home != nil && state.withLock { $0.observer != nil } && isSenderAlive()
            && registration.owner?.isAlive != false
    }

    func isTied(to owner: AnyObject) -> Bool { registration.owner?.refers(to: owner) == true }

    func accepts<N: TypedNotification>(_ notification: N) -> Bool {
        type == ObjectIdentifier(N.self) && isMeant(notification)
    }

    func call(_ notification: Any) -> Bool {
        let observer = state.withLock { state in
            if state.observer != nil { state.running += 1 }
            return state.observer
        }
        guard let observer else { return false }
        observer(notification)
        let draining = state.withLock { state in
            state.running -= 1
            guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.draining = [] }
            return state.draining
        }
        for continuation in draining { continuation.resume() }
        return true
    }

    func cancel() {
        // The closure is released after the unlock, because its release may run a user's `deinit`.
        let observer = state.withLock { $0.observer.take() }
        if observer != nil { home?.remove(self) }
    }

    func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.running > 0 { state.draining.append(continuation) }
                return state.running == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
