/// A consumer of a bus, held weakly, and its mailbox.
@usableFromInline
struct Subscriber<Message: Sendable>: Sendable {
    @export(implementation) let mailbox: Mailbox<Message>
    @usableFromInline let lifetime: ObserverOwner
    @usableFromInline let delivery: DeliveryMode
    @usableFromInline let place: SourcePlace

    /// A number that no other observer of the process has or will have.
    @export(implementation) let serial = ObserverSerial.next()

    /// When the consumer was added.
    @export(implementation) let addedAt = RegistrationTime.now

    /// The mailbox that the consumer had when it was removed, if it was called at that time.
    @export(implementation) let previous: Mailbox<Message>?

    /// - Parameters:
    ///   - consumer: The consumer.
    ///   - delivery: Where it takes its messages, in a word.
    ///   - place: Where it was added.
    ///   - previous: The mailbox that it had before, if a call is under way: messages wait until that has ended.
    ///   - plan: How a message is handed to it again after an error; `nil` if it is not.
    ///   - respond: Called with an error that it throws.
    ///   - isolation: Where it takes its messages, so that a turn costs one hop.
    @export(implementation)
    init<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, _ delivery: DeliveryMode, from place: SourcePlace, after previous: Mailbox<Message>?,
        retrying plan: RetryPlan?, onFailure respond: (@Sendable (any Error) -> Void)?,
        isolation: @escaping @Sendable (Consumer) -> (any Actor)?
    ) {
        let mailbox = Mailbox<Message>(retrying: plan) { [weak consumer] mailbox in
            guard consumer != nil else { return mailbox.cancel() }
            mailbox.takeTurns {
                // Before the consumer is retained, so that the wait does not keep it alive. Waits only in the first turn: the
                // previous mailbox is cancelled, and begins no other.
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
        self.init(mailbox, ObserverOwner(consumer), delivery, from: place, after: previous)
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

    /// The mailbox from which the consumer is called at this moment: its own, or the one before.
    ///
    /// If neither is, and this one is cancelled, the consumer is not called again: this one would have had to begin a turn.
    @export(implementation)
    var running: Mailbox<Message>? {
        if mailbox.isRunning { return mailbox }
        return previous?.isRunning == true ? previous : nil
    }
}
