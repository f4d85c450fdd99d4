import TidingsEngine

/// A notification that a ``ReplayGate`` passes to its observer. Every instance is a ``HandedOverOf``.
class HandedOver: @unchecked Sendable {  // immutable
    let post: KeptPost

    /// Whether this is the latest notification before the registration. Otherwise it was queued at the gate.
    let isLatest: Bool

    fileprivate init(_ post: KeptPost, isLatest: Bool) {
        self.post = post
        self.isLatest = isLatest
    }

    /// The cast is safe, because all notifications at a gate have one type.
    final func payload<N: TypedNotification>(of type: N.Type) -> Replayed<N> {
        unsafe unsafeDowncast(self, to: HandedOverOf<N>.self).payload
    }
}

final class HandedOverOf<N: TypedNotification>: HandedOver, @unchecked Sendable {  // immutable
    fileprivate let payload: Replayed<N>

    /// The sender of the latest notification, if it is an object. Kept alive until the observer has been called.
    private let sender: AnyObject?

    init(_ notification: N, of post: KeptPost, sender: AnyObject?) {
        payload = unsafe Replayed(notification, number: post.number, of: post, countingIn: nil)
        self.sender = sender
        super.init(post, isLatest: true)
    }

    init(_ posted: Replayed<N>) {
        let post = posted.post ?? KeptPost(number: posted.number)
        payload = unsafe Replayed(posted.notification, number: posted.number, of: post, countingIn: nil)
        sender = nil
        super.init(post, isLatest: false)
    }
}

@usableFromInline
final class GatedObserver<N: TypedNotification>: Sendable {
    @export(implementation) let gate: ReplayGate
    @usableFromInline let observer: @Sendable (N) -> Void
    @export(implementation) let isConditional: Bool

    @export(implementation)
    init(_ observer: @escaping @Sendable (N) -> Void, behind gate: ReplayGate, isConditional: Bool) {
        self.gate = gate
        self.observer = observer
        self.isConditional = isConditional
    }

    @export(implementation)
    func receive(_ payload: Replayed<N>) {
        if payload.isHandedOver || gate.isOpen(to: payload.number) {
            call(payload)
        } else {
            receiveAtGate(payload)
        }
    }

    @usableFromInline
    @inline(never)
    func receiveAtGate(_ payload: Replayed<N>) {
        // If the task that hands over the latest main-actor notification hasn't run yet, this post hands over the
        // notification.
        if N.self is any BelongsToMainActor.Type { gate.handOverNow() }
        if gate.isOpenInTime(to: HandedOverOf(payload)) {
            call(payload)
        } else {
            Refusal.isNoted = true
            payload.noteRefusal()
        }
    }

    @export(implementation)
    @inline(__always)
    func call(_ payload: Replayed<N>) {
        observer(payload.notification)
        // Posts made during the call may have set `isNoted`, which the caller of this method reads.
        if payload.isAskedFor, !isConditional { Refusal.isNoted = false }
    }
}
