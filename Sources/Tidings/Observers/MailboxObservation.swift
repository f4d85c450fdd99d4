@usableFromInline
package struct MailboxObservation<Element: Sendable>: ObserverHandle {
    let base: any ObserverHandle
    let mailbox: Mailbox<Element>

    /// Creates the observation of an observer with a mailbox, which is its queue. If the center returned an observer
    /// that was already registered, that observer's mailbox is used.
    @usableFromInline
    init(base: any ObserverHandle, mailbox: Mailbox<Element>) {
        // The comparison of types is quicker than the cast.
        if type(of: base) == OwnedObserver.self, var known = base as? OwnedObserver,
            let queue = known.registration.queue as? Mailbox<Element>
        {
            known.discardsQueue = false
            (self.base, self.mailbox) = (known, queue)
        } else {
            (self.base, self.mailbox) = (base, mailbox)
        }
    }

    @usableFromInline package var center: ObjectIdentifier? { base.center }

    @usableFromInline package var isActive: Bool { base.isActive }

    @usableFromInline
    package func cancel() {
        base.cancel()
        mailbox.cancel()
    }

    @usableFromInline
    package func end(_ reason: ObservationEndReason) {
        base.end(reason)
        mailbox.cancel()
    }

    @usableFromInline
    package func drain() async {
        await base.drain()
        await mailbox.drain()
    }
}

extension MailboxObservation: NumberedObservation {
    @usableFromInline package var numbers: [UInt64] { base.knownNumbers }
    @usableFromInline package var isCalled: Bool { base.mayBeCalled }
}

@usableFromInline
protocol QueuedObservation: ObserverHandle {
    var queue: any ObserverQueue { get }

    var observer: DeliveryReceipt.Observer? { get }

    func cancelKeepingQueue()

    func waitForPosts() async
}

extension MailboxObservation: QueuedObservation {
    @usableFromInline var queue: any ObserverQueue { mailbox }
    @usableFromInline var observer: DeliveryReceipt.Observer? { mailbox.observer }
    @usableFromInline func cancelKeepingQueue() { base.cancel() }
    @usableFromInline func waitForPosts() async { await base.drain() }
}

extension NotificationToken {
    /// The number of notifications that the buffering policy has dropped; 0 for an observer without a policy.
    public var droppedCount: Int { (observation as? any QueuedObservation)?.queue.status.dropped ?? 0 }
}
