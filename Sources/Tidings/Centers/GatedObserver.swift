import TidingsEngine

/// A notification that a registration delivers to its observer. Every instance is a ``HandedOverOf``, which knows the
/// type.
class HandedOver: @unchecked Sendable {  // immutable
    let post: KeptPost

    /// Whether it is the latest notification at the time of the registration, and was therefore posted before it.
    let isLatest: Bool

    fileprivate init(_ post: KeptPost, isLatest: Bool) {
        self.post = post
        self.isLatest = isLatest
    }

    /// The payload with which the channel calls the observer. Everything behind one gate has the same type.
    final func payload<N: TypedNotification>(of type: N.Type) -> Replayed<N> {
        // Debug builds check the type.
        unsafe unsafeDowncast(self, to: HandedOverOf<N>.self).payload
    }
}

/// A notification of a particular type that a registration delivers to its observer.
final class HandedOverOf<N: TypedNotification>: HandedOver, @unchecked Sendable {  // immutable
    fileprivate let payload: Replayed<N>

    /// The sender of the latest notification, if it is an object: it has to live until the observer has been called.
    private let sender: AnyObject?

    /// Creates the notification that a registration has looked up. `sender` is an object that nothing else may keep
    /// alive.
    init(_ notification: N, of post: KeptPost, sender: AnyObject?) {
        payload = unsafe Replayed(notification, number: post.number, of: post, countingIn: nil)
        self.sender = sender
        super.init(post, isLatest: true)
    }

    /// Creates a notification that a gate holds back.
    init(_ posted: Replayed<N>) {
        let post = posted.post ?? KeptPost(number: posted.number)
        payload = unsafe Replayed(posted.notification, number: posted.number, of: post, countingIn: nil)
        sender = nil
        super.init(post, isLatest: false)
    }
}

/// An observer of a type that is replayed, behind its gate. The channel calls this object.
@usableFromInline
final class GatedObserver<N: TypedNotification>: Sendable {
    @export(implementation) let gate: ReplayGate
    @usableFromInline let observer: @Sendable (N) -> Void

    /// Whether the observer itself records that it rejects a notification.
    @export(implementation) let isConditional: Bool

    @export(implementation)
    init(_ observer: @escaping @Sendable (N) -> Void, behind gate: ReplayGate, isConditional: Bool) {
        self.gate = gate
        self.observer = observer
        self.isConditional = isConditional
    }

    /// Receives a payload from the channel, either in a post or during the hand-over of the registration.
    @export(implementation)
    func receive(_ payload: Replayed<N>) {
        if payload.isHandedOver || gate.isOpen(to: payload.number) {
            call(payload)
        } else {
            receiveAtGate(payload)
        }
    }

    /// Receives the payload of a post while the gate is closed, or shortly after.
    @usableFromInline
    @inline(never)
    func receiveAtGate(_ payload: Replayed<N>) {
        // A task performs the hand-over to an observer on the main actor. A post on the main actor may come before that
        // task, and then performs the hand-over in its place.
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
        // Overwrites a result that other observers have recorded during the call, if the result will be read.
        if payload.isAskedFor, !isConditional { Refusal.isNoted = false }
    }
}
