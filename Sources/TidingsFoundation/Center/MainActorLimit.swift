import Foundation

/// The sender to which a main-actor observer is limited, and the observation, which ends after the sender is
/// deallocated. The sender doesn't have to be `Sendable`. Comparing senders runs their code, and checking whether a
/// sender is alive may release its last reference. So, unlike in a native center, senders are compared and checked only
/// on the main actor.
final class MainActorLimit<Sender>: Sendable {
    private let filter: SenderFilter<Sender>
    private let isSent: @Sendable (IncomingPost, SenderFilter<Sender>) -> Bool
    private let observation = Lock<(any ObserverHandle)?>(nil)

    init?(
        _ filter: SenderFilter<Sender>,
        comparing isSent: @escaping @Sendable (IncomingPost, SenderFilter<Sender>) -> Bool
    ) {
        guard filter.isLimited else { return nil }
        self.filter = filter
        self.isSent = isSent
    }

    /// Off the main actor, the sender counts as alive, because it can't be accessed.
    var isSenderAlive: Bool { !MainThread.isCurrent || filter.isSenderAlive }

    func ends(_ observation: any ObserverHandle) { self.observation.withLock { $0 = observation } }

    /// Returns whether the post is from the sender. Must be called on the main actor.
    func admits(_ post: IncomingPost) -> Bool {
        guard filter.isSenderAlive else {
            observation.withLock { $0.take() }?.end(.senderGone)
            return false
        }
        return isSent(post, filter)
    }
}

enum MainThread {
    /// Whether this code is on the main actor: on the main thread or the main dispatch queue. Both are checked, because
    /// neither implies the other. After the first `await` of an asynchronous `main`, Linux runs the main queue on
    /// another thread. Before that, and in a synchronous `main`, the main thread runs code outside of any queue.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark: DispatchSpecificKey<Void> = {
        let mark = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: mark, value: ())
        return mark
    }()
}
