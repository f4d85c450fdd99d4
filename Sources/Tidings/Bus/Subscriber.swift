/// A consumer of a bus, held weakly, and its mailbox.
@usableFromInline
struct Subscriber<Message: Sendable>: Sendable {
    @usableFromInline let mailbox: Mailbox<Message>
    @usableFromInline let lifetime: ObserverOwner
    let delivery: DeliveryMode
    let place: SourcePlace

    /// - Parameters:
    ///   - consumer: The consumer.
    ///   - delivery: That, in a word.
    ///   - place: Where it was added.
    ///   - isolation: Where it takes its messages, so that a turn costs one hop.
    @inlinable
    init<Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, _ delivery: DeliveryMode, from place: SourcePlace,
        isolation: @escaping @Sendable (Consumer) -> (any Actor)?
    ) {
        let lifetime = ObserverOwner(consumer)
        let mailbox = Mailbox<Message> { [weak consumer] mailbox in
            guard lifetime.isAlive else { return mailbox.cancel() }
            mailbox.takeTurns {
                guard let consumer else { return mailbox.endsTurns() }
                return await mailbox.feed(consumer, isolation: isolation(consumer))
            }
        }
        self.init(mailbox, lifetime, delivery, from: place)
    }

    @usableFromInline
    init(_ mailbox: Mailbox<Message>, _ lifetime: ObserverOwner, _ delivery: DeliveryMode, from place: SourcePlace) {
        self.mailbox = mailbox
        self.lifetime = lifetime
        self.delivery = delivery
        self.place = place
    }
}

extension Mailbox {
    /// Hands a consumer what is queued, one at a time, for a turn.
    ///
    /// - Returns: Whether to call this method again, when others have had their turn.
    @inlinable
    func feed<Consumer: MessageConsumer<Element>>(
        _ consumer: Consumer, isolation: isolated (any Actor)?
    ) async -> Bool {
        var batch = Batch<Queued<Element>>()
        guard begin(nil, with: &batch) else { return false }
        let inHand = inHand
        var remaining = Self.turn
        while remaining > 0, !isCancelled, let next = batch.next() {
            inHand.note(batch.count)
            if next.isTraced {
                await feedTraced(next, to: consumer, isolation: isolation)
            } else {
                await consumer.consume(next.element)
            }
            remaining -= 1
        }
        end(nil, returning: &batch)
        return true
    }

    /// Ends the mailbox of a consumer that is gone, and with it the consumer's turns.
    @usableFromInline
    func endsTurns() -> Bool {
        cancel()
        return false
    }
}
