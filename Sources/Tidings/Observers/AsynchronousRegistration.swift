// How to add a delivery, in three steps. `ActorDelivery` is the shortest example.
//
// 1. Give it a `DeliveryMode`, unless it has one.
// 2. Extend `Delivery`, or `OwnerDelivery`, where `Handler` is the type of its closure, with a static member that makes it. What it
//    is made of takes a registration, which is all that is known about the observer beside its closure, and calls one of the
//    `observe` methods of this file with a closure that takes a turn: that goes where the observer runs, takes hold of the
//    observer's closure, and calls one of the mailbox's `run` methods with it. If the closure may be suspended, what is held is the
//    loop that calls it, see `SuspendableTurn`. If a task cannot go there, as on an operation queue, take the method with
//    `startingTurns:`, and start the turns by what can.
// 3. Give the delivery its line in the conformance suite (`AsynchronousObserving`) and in the reference model (`Line`).
//
// Order, buffering, cancel, drain, `deliver`, errors, owners and monitors come with the registration, and so do descriptors and both
// kinds of notifications: what is observed is the registration's `subject`. The way of a notification meets each file once: the
// mailbox's entrance, as it is posted; then the registration, which starts a task; the delivery's own file, which goes where the
// observer runs; and the running of the mailbox, which takes a batch by a turn and calls the observer.

/// What is observed: given the details of an observer and its closure, it registers them with a center.
@usableFromInline
package typealias ObservedSubject<Element> =
    (ObserverRegistration, @escaping @Sendable (Element) -> Void) -> any ObserverHandle

/// The details of an asynchronous observer, beside its closure.
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
    ///   - condition: Whether the observer wants an element; `nil` for every one.
    ///   - policy: What becomes of elements that arrive faster than the observer takes them.
    ///   - response: What follows when the observer throws an error.
    ///   - fileID: The file that registers the observer.
    ///   - line: The line that registers the observer.
    ///   - subject: What is observed.
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

    /// The observer, as receipts name it.
    @export(implementation) var observer: DeliveryReceipt.Observer {
        DeliveryReceipt.Observer(of: Element.self, delivery, from: SourcePlace(fileID: fileID, line: line))
    }

    @export(implementation)
    func registration(_ mailbox: Mailbox<Element>, owner: ObserverOwner?) -> ObserverRegistration {
        ObserverRegistration(fileID: fileID, line: line, delivery: delivery, owner: owner).with(queue: mailbox)
    }
}

extension AsynchronousRegistration {
    /// Registers an observer whose elements wait in a mailbox: what every asynchronous delivery is made of.
    ///
    /// - Parameters:
    ///   - ownership: Its tie to an owner, if there is one. The turns find out whether the owner is alive.
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

    /// Registers an observer that is called in tasks.
    ///
    /// - Parameters:
    ///   - closure: The observer's closure.
    ///   - takeTurn: Takes a turn, and returns whether to take another one.
    /// - Returns: The token.
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

    /// Registers an observer that is called in tasks, with an owner that it is tied to.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - closure: The observer's closure.
    ///   - takeTurn: Takes a turn, for the owner if it is alive, and returns whether to take another one.
    /// - Returns: The token.
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

/// A turn's reference to the owner of its observer.
@usableFromInline
struct TurnOwner<Owner: AnyObject & Sendable>: Sendable {
    @export(implementation) let ownership: Ownership

    @export(implementation)
    init(_ ownership: Ownership) { self.ownership = ownership }

    /// The owner; `nil` if it is dead, and then the observation has ended. A turn takes hold of it as late as it can: what waits to run
    /// where it belongs would keep the owner alive.
    @export(implementation) var alive: Owner? {
        let owner = ownership.owner.object(as: Owner.self)
        if owner == nil { ownership.end() }
        return owner
    }
}

extension Mailbox {
    /// Starts a task that takes turns until nothing waits. It inherits the priority of the task that posts, and nothing else.
    ///
    /// - Parameters:
    ///   - takeTurn: Calls one of the `run` methods where the observer belongs.
    ///   - look: Called a little after the last turn, if the observer has an owner: it looks whether the owner is gone. The last
    ///     reference to an owner is often that of a turn, or of a task that waits for the turn. If the observer's closure refers
    ///     to its own center, and nothing else does, no post would ever find the owner gone, and the closure would be leaked.
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
