@usableFromInline
struct Subscriber<Message: Sendable>: Sendable {
    @export(implementation) let mailbox: Mailbox<Message>
    @usableFromInline let lifetime: ObserverOwner
    @usableFromInline let delivery: DeliveryMode
    @usableFromInline let place: SourcePlace
    @export(implementation) let serial = ObserverSerial.next()
    @export(implementation) let addedAt = RegistrationTime.now
    @export(implementation) let previous: Mailbox<Message>?

    @export(implementation)
    init<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, _ lifetime: ObserverOwner, _ delivery: DeliveryMode, from place: SourcePlace,
        after previous: Mailbox<Message>?, retrying plan: RetryPlan?,
        onFailure respond: (@Sendable (any Error) -> Void)?, isolation: @escaping @Sendable (Consumer) -> (any Actor)?
    ) {
        let mailbox = Mailbox<Message>(retrying: plan) { [weak consumer] mailbox in
            guard consumer != nil else { return mailbox.cancel() }
            mailbox.takeTurns {
                // A turn handles some of the queued messages. The turn waits here before it retains the consumer, so
                // the wait doesn't keep the consumer alive. In later turns, the wait returns at once, because the
                // previous mailbox is cancelled and begins no further turn.
                if let previous { await previous.waitForEndOfTurn() }
                guard let consumer else {
                    mailbox.cancel()
                    return false
                }
                return await mailbox.runUnwaited(isolation: isolation(consumer), onFailure: respond) {
                    try await consumer.consume($0)
                }
            } afterwards: {
                if consumer == nil { mailbox.cancel() }
            }
        }
        self.init(mailbox, lifetime, delivery, from: place, after: previous)
    }

    @export(implementation)
    init(
        _ mailbox: Mailbox<Message>, _ lifetime: ObserverOwner, _ delivery: DeliveryMode, from place: SourcePlace,
        after previous: Mailbox<Message>?
    ) {
        self.mailbox = mailbox
        self.lifetime = lifetime
        self.delivery = delivery
        self.place = place
        self.previous = previous
    }

    @export(implementation)
    var running: Mailbox<Message>? {
        if mailbox.isRunning { return mailbox }
        return previous?.isRunning == true ? previous : nil
    }
}
