// To add a delivery (`ActorDelivery` is the shortest example):
//
// 1. Add a `DeliveryMode`, unless there is a suitable one.
// 2. Extend `Delivery` or `OwnerDelivery`, where `Handler` is the type of the observer's closure, with a static member
//    that creates the delivery. It receives a registration, and calls one of its `observe` methods with a closure that
//    takes a turn. That closure moves to the observer's isolation, obtains the observer's closure, and calls one of the
//    mailbox's `run` methods with it. If the observer's closure can be suspended, the loop that calls it is stored in
//    its place; see `SuspendableTurn`. If a task can't move to the observer's isolation, as for an operation queue, use
//    the method with `startingTurns:`.
// 3. Add the delivery to the conformance suite (`AsynchronousObserving`) and to the reference model (`Line`).
//
// The registration provides order, buffering, cancelling, draining, `deliver`, errors, owners and monitors. It also
// works with descriptors and both kinds of notifications, because it observes its `subject`.

/// The source of an observation: it registers an observer with a center, given the details of the observer and its
/// closure.
@usableFromInline
package typealias ObservedSubject<Element> =
    (ObserverRegistration, @escaping @Sendable (Element) -> Void) -> any ObserverHandle

/// The details of an asynchronous observer besides its closure.
@usableFromInline
package struct AsynchronousRegistration<Element: Sendable> {
    @export(implementation) let delivery: DeliveryMode
    @usableFromInline let condition: (@Sendable (Element) -> Bool)?
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let onFailure: FailureResponse
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt
    @usableFromInline let subject: ObservedSubject<Element>

    /// - Parameters:
    ///   - delivery: Where and when the observer runs.
    ///   - condition: Returns whether the observer wants an element; `nil` for all elements.
    ///   - policy: How elements are buffered that arrive faster than the observer handles them.
    ///   - response: The response to an error that the observer throws.
    ///   - fileID: The file that registers the observer.
    ///   - line: The line that registers the observer.
    ///   - subject: The source of the observation.
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

    /// The observer, as named in receipts.
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
    /// Registers an observer whose elements are queued in a mailbox. Every asynchronous delivery is based on this
    /// method.
    ///
    /// - Parameters:
    ///   - ownership: The observer's reference to its owner, if it has one. The turns check whether the owner is alive.
    ///   - closure: The observer's closure.
    ///   - start: Starts turns, which call one of the mailbox's `run` methods with the closure.
    /// - Returns: The observation.
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
            // The mailbox holds the observer.
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

    /// Registers an observer that is called in tasks. `takeTurn` takes a turn, and returns whether to take another one.
    @export(implementation)
    func observe<Closure: Sendable>(
        calling closure: Closure,
        takeTurn: @escaping @Sendable (Mailbox<Element>, WeakObserver<Closure>) async -> Bool
    ) -> NotificationToken {
        observe(calling: closure) { mailbox, observer in
            mailbox.takeTurns { await takeTurn(mailbox, observer) }
        }
        .token()
    }

    /// Registers an observer that is called in tasks and is tied to an owner, which is held weakly.
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
        .token(of: ownership)
    }
}

@usableFromInline
struct TurnOwner<Owner: AnyObject & Sendable>: Sendable {
    @export(implementation) let ownership: Ownership

    @export(implementation)
    init(_ ownership: Ownership) { self.ownership = ownership }

    /// The owner; `nil` if it has been deallocated, in which case the observation has been ended. A turn that waits
    /// for its isolation would keep the owner alive, so turns obtain the owner as late as possible.
    @export(implementation) var alive: Owner? {
        let owner = ownership.owner.object(as: Owner.self)
        if owner == nil { ownership.end() }
        return owner
    }
}

extension Mailbox {
    /// Starts a task that takes turns until the queue is empty. It inherits only the priority of the posting task.
    ///
    /// If the observer has an owner, `look` is called shortly after the last turn, to check whether the owner has been
    /// deallocated. The last reference to an owner is often that of a turn, or of a task that waits for the turn. If
    /// the observer's closure holds the only reference to its own center, no later post would find the owner
    /// deallocated, and the closure would leak.
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
