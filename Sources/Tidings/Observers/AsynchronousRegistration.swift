// To add a delivery (`ActorDelivery` is the shortest example):
//
// 1. Add a `DeliveryMode`, unless there is a suitable one.
// 2. Extend `Delivery` or `OwnerDelivery` with a static member that creates the delivery. The delivery's closure calls
//   one of the registration's `observe` methods, and passes the closure `takeTurn`. A turn is a batch of calls.
//   `takeTurn` moves to the observer's isolation, obtains the observer's closure, and calls one of the mailbox's `run`
//   methods. If the observer's closure can suspend, see `SuspendableTurn`. If a task can't move to the isolation, pass
//   the closure `startingTurns` instead of `takeTurn`.
// 3. Add the delivery to the conformance suite (`AsynchronousObserving`) and to the reference model (`Line`).

@usableFromInline
package typealias ObservedSubject<Element> =
    (ObserverRegistration, @escaping @Sendable (Element) -> Void) -> any ObserverHandle

@usableFromInline
package struct AsynchronousRegistration<Element: Sendable> {
    @export(implementation) let delivery: DeliveryMode
    @usableFromInline let condition: (@Sendable (Element) -> Bool)?
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let onFailure: FailureResponse
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt
    @usableFromInline let subject: ObservedSubject<Element>

    @export(implementation)
    package init(
        _ delivery: DeliveryMode, where condition: (@Sendable (Element) -> Bool)?, buffering policy: BufferingPolicy,
        onFailure response: FailureResponse, _ fileID: StaticString, _ line: UInt,
        subject: @escaping ObservedSubject<Element>
    ) {
        self.delivery = delivery
        self.condition = condition
        self.policy = policy
        onFailure = response
        self.fileID = fileID
        self.line = line
        self.subject = subject
    }

    @export(implementation) var observer: DeliveryReceipt.Observer {
        DeliveryReceipt.Observer(of: Element.self, delivery, from: SourcePlace(fileID: fileID, line: line))
    }

    @export(implementation)
    func registration(_ mailbox: Mailbox<Element>, owner: ObserverOwner?) -> ObserverRegistration {
        ObserverRegistration(fileID: fileID, line: line, delivery: delivery, owner: owner)
            .with(queue: mailbox, intendsDrops: policy.intendsDrops)
    }
}

extension AsynchronousRegistration {
    /// Registers an observer. `start` schedules a turn, a batch of calls, when the mailbox has work to do. The turn
    /// has to check whether the owner is alive, and to call a `run` method of the mailbox.
    @export(implementation)
    package func observe<Closure: Sendable>(
        tiedBy ownership: Ownership? = nil, calling closure: Closure,
        startingTurns start: @escaping @Sendable (Mailbox<Element>, WeakObserver<Closure>) -> Void
    ) -> MailboxObservation<Element> {
        let responder = FailureResponder(onFailure)
        let held = HeldObserver(closure, respond: responder.respond)
        let mailbox = Mailbox<Element>(
            buffering: policy, for: observer, where: condition, retrying: onFailure.retries, tiedBy: ownership
        ) {
            // Until the mailbox ends, it holds this closure, which holds `held`. So the observer lives until then.
            [held, reference = WeakObserver(held)] mailbox in
            extendLifetime(held)
            start(mailbox, reference)
        }
        let entrance = MailboxEntrance(mailbox, tiedBy: ownership)
        let registration = registration(mailbox, owner: ownership?.owner)
        let base =
            if let condition {
                subject(registration.conditional) { element in
                    Refusal.perform(if: condition(element)) { entrance.receive(element) }
                }
            } else {
                subject(registration, entrance.receive)
            }
        let observation = MailboxObservation(base: base, mailbox: mailbox)
        responder.isRegistered(as: observation)
        return observation
    }

    @export(implementation)
    func observe<Closure: Sendable>(
        calling closure: Closure, takeTurn: @escaping @Sendable (Mailbox<Element>, WeakObserver<Closure>) async -> Bool
    ) -> NotificationToken {
        observe(calling: closure) { mailbox, observer in
            mailbox.takeTurns { await takeTurn(mailbox, observer) }
        }
        .token()
    }

    @export(implementation)
    func observe<Owner: AnyObject & Sendable, Closure: Sendable>(
        owner: Owner, calling closure: Closure,
        takeTurn: @escaping @Sendable (Mailbox<Element>, TurnOwner<Owner>, WeakObserver<Closure>) async -> Bool
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        return observe(tiedBy: ownership, calling: closure) { mailbox, observer in
            guard ownership.owner.isAlive else { return ownership.end() }
            mailbox.takeTurns {
                await takeTurn(mailbox, TurnOwner(ownership), observer)
            } afterwards: {
                if !ownership.owner.isAlive { ownership.end() }
            }
        }
        .token(owner: ownership)
    }
}

@usableFromInline
struct TurnOwner<Owner: AnyObject & Sendable>: Sendable {
    @export(implementation) let ownership: Ownership

    @export(implementation)
    init(_ ownership: Ownership) { self.ownership = ownership }

    /// The owner; `nil` if it has been deallocated. In that case, reading this property ends the observation. Read it
    /// as late as possible, so that a turn that waits for its isolation doesn't keep the owner alive.
    @export(implementation) var alive: Owner? {
        let owner = ownership.owner.object(as: Owner.self)
        if owner == nil { ownership.end() }
        return owner
    }
}

extension Mailbox {
    /// Takes turns, which are batches of calls, in a new task. Shortly after the last turn, `look` checks whether the
    /// owner has been deallocated, because a turn often holds the last reference to it. Otherwise, only the next
    /// post would detect the deallocation. If only the observer's closure refers to the center, no post follows, so the
    /// closure and the center would leak.
    @export(implementation)
    func takeTurns(
        _ takeTurn: @escaping @Sendable () async -> Bool, afterwards look: (@Sendable () -> Void)? = nil
    ) {
        Task.detached(priority: Task.currentPriority) {
            while await takeTurn() { await Task.yield() }
            guard let look else { return }
            await Task.yield()
            look()
        }
    }
}
