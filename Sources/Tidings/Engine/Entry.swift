/// One observer of a channel: whether it is live, and how many calls of it are running.
final class Entry: @unchecked Sendable {  // the weak sender is only compared with nil
    let order: Int
    let key: SenderIdentity.Key?
    let isMortal: Bool
    private weak let channel: AnyChannel?
    private let isObject: Bool
    private weak let sender: AnyObject?
    private let owner: Owner?

    private struct State {
        var isLive = true
        var calls = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    init(order: Int, channel: AnyChannel, sender: SenderIdentity, owner: Owner?) {
        self.order = order
        self.channel = channel
        key = sender.key
        if case .object(let object) = sender {
            self.sender = object
            isObject = true
        } else {
            self.sender = nil
            isObject = false
        }
        self.owner = owner
        isMortal = isObject || owner != nil
    }

    var center: ObjectIdentifier? { channel?.center }

    var isActive: Bool {
        channel != nil && state.withLock { $0.isLive } && (!isObject || sender != nil) && owner?.isAlive != false
    }

    func beginCall() -> Bool {
        if isObject, sender == nil { return false }
        return state.withLock { state in
            if state.isLive { state.calls += 1 }
            return state.isLive
        }
    }

    func endCall() {
        let waiting = state.withLock { state in
            state.calls -= 1
            if state.calls > 0 { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func cancel() {
        let wasLive = state.withLock { state in
            defer { state.isLive = false }
            return state.isLive
        }
        if wasLive { channel?.remove(self) }
    }

    func drain() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.calls > 0 { state.waiting.append(continuation) }
                return state.calls == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}

/// An observation of the native center.
struct NativeObservation: Observation {
    let entry: Entry

    var center: ObjectIdentifier? { entry.center }
    var isActive: Bool { entry.isActive }
    func cancel() { entry.cancel() }
    func drain() async { await entry.drain() }
}
