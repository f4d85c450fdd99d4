import TidingsEngine

/// A notification that a registration hands to its observer; always a ``HandedOverOf``, which knows the type.
class HandedOver: @unchecked Sendable {  // immutable
    let post: KeptPost

    /// Whether it is the latest notification as of the registration, which was posted before it.
    let isLatest: Bool

    fileprivate init(_ post: KeptPost, isLatest: Bool) {
        self.post = post
        self.isLatest = isLatest
    }

    /// What the channel calls the observer with. The caller knows the type, as everything behind one gate is of one type.
    final func payload<N: TypedNotification>(of type: N.Type) -> Replayed<N> {
        // Checked in debug builds.
        unsafe unsafeDowncast(self, to: HandedOverOf<N>.self).payload
    }
}

/// A notification of a type that a registration hands to its observer.
final class HandedOverOf<N: TypedNotification>: HandedOver, @unchecked Sendable {  // immutable
    fileprivate let payload: Replayed<N>

    /// The sender of the latest notification, if it is an object: it has to live until the observer was called.
    private let sender: AnyObject?

    /// What a registration has looked up.
    ///
    /// - Parameters:
    ///   - notification: The latest notification as of the registration.
    ///   - post: Its post.
    ///   - sender: Its sender, if that is an object which nothing else may keep alive.
    init(_ notification: N, of post: KeptPost, sender: AnyObject?) {
        payload = unsafe Replayed(notification, number: post.number, of: post, countingIn: nil)
        self.sender = sender
        super.init(post, isLatest: true)
    }

    /// What a gate holds back.
    init(_ posted: Replayed<N>) {
        let post = posted.post ?? KeptPost(number: posted.number)
        payload = unsafe Replayed(posted.notification, number: posted.number, of: post, countingIn: nil)
        sender = nil
        super.init(post, isLatest: false)
    }
}

/// An observer of a type that is replayed, behind its gate: what the channel calls.
@usableFromInline
final class GatedObserver<N: TypedNotification>: Sendable {
    @export(implementation) let gate: ReplayGate
    @usableFromInline let observer: @Sendable (N) -> Void

    /// Whether the observer notes itself that it refuses a notification.
    @export(implementation) let isConditional: Bool

    @export(implementation)
    init(_ observer: @escaping @Sendable (N) -> Void, behind gate: ReplayGate, isConditional: Bool) {
        self.gate = gate
        self.observer = observer
        self.isConditional = isConditional
    }

    /// Takes what the channel calls the observer with, in a post or as the registration hands it over.
    @export(implementation)
    func receive(_ payload: Replayed<N>) {
        if payload.isHandedOver || gate.isOpen(to: payload.number) {
            call(payload)
        } else {
            receiveAtGate(payload)
        }
    }

    /// Takes what a post calls the observer with while the gate is closed, or a moment after.
    @usableFromInline
    @inline(never)
    func receiveAtGate(_ payload: Replayed<N>) {
        // An observer on the main actor is handed things there by a task. A post on the main actor may come before that task, and
        // hands over in its place.
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
        // Instead of what others have noted in the call, if anybody asks.
        if payload.isAskedFor, !isConditional { Refusal.isNoted = false }
    }
}
