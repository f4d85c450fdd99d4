// How to add a delivery, in four steps. `ActorObserving` is the shortest example.
//
// 1. Give it a `DeliveryMode`, unless it has one.
// 2. Write an `addObserver` for it, and one with `sender:`. Each makes an `AsynchronousRegistration`, which is all that is known
//    about the observer beside its closure, and passes it to one of the `observe` methods of this file.
// 3. Pass that method a closure that takes a turn: it goes where the observer runs, takes hold of the observer's closure, and
//    calls one of the mailbox's `run` methods with it. If a task cannot go there, as on an operation queue, take the method with
//    `startingTurns:`, and start the turns by what can.
// 4. Give the delivery its line in the conformance suite (`AsynchronousObserving`) and in the reference model (`Line`).
//
// Order, buffering, cancel, drain, `deliver`, errors, owners and monitors come with the registration. The way of a notification
// meets each file once: the mailbox's entrance, as it is posted; then the registration, which starts a task; the delivery's own
// file, which goes where the observer runs; and the running of the mailbox, which takes a batch by a turn and calls the observer.

/// The details of an asynchronous observer, beside its closure.
@usableFromInline
package struct AsynchronousRegistration<N: TypedNotification & Sendable> {
    @usableFromInline let sender: SenderFilter<N.Sender>
    @usableFromInline let delivery: DeliveryMode
    @usableFromInline let condition: (@Sendable (N) -> Bool)?
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let onFailure: FailureResponse
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt

    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited.
    ///   - delivery: Where and when the observer runs.
    ///   - condition: Whether the observer wants a notification; `nil` for every one.
    ///   - policy: What becomes of notifications that arrive faster than the observer takes them.
    ///   - response: What follows when the observer throws an error.
    ///   - fileID: The file that registers the observer.
    ///   - line: The line that registers the observer.
    @inlinable
    package init(
        _ type: N.Type, _ sender: SenderFilter<N.Sender>, _ delivery: DeliveryMode,
        where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        _ fileID: StaticString, _ line: UInt
    ) {
        self.sender = sender
        self.delivery = delivery
        self.condition = condition
        self.policy = policy
        onFailure = response
        self.fileID = fileID
        self.line = line
    }

    /// The observer, as receipts name it.
    @inlinable var observer: DeliveryReceipt.Observer {
        DeliveryReceipt.Observer(of: N.self, delivery, from: SourcePlace(fileID: fileID, line: line))
    }

    @inlinable
    func registration(_ mailbox: Mailbox<N>, owner: ObserverOwner?) -> ObserverRegistration {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: delivery, owner: owner)
            .with(queue: mailbox)
        return condition == nil ? registration : registration.conditional
    }

    /// What a center calls in the post: the entrance, behind the condition.
    @inlinable
    func receiver(_ entrance: MailboxEntrance<N>) -> @Sendable (N) -> Void {
        guard let condition else { return entrance.receive }
        return { note in Refusal.perform(if: condition(note)) { entrance.receive(note) } }
    }
}

extension TypedNotificationCenter {
    /// Registers an observer whose notifications wait in a mailbox: what every asynchronous delivery is made of.
    ///
    /// - Parameters:
    ///   - registration: The details of the observer.
    ///   - ownership: Its tie to an owner, if there is one. The turns find out whether the owner is alive.
    ///   - closure: The observer's closure.
    ///   - start: Starts turns, which call one of the mailbox's `run` methods with the closure.
    /// - Returns: The observation.
    @inlinable
    package func observe<N: TypedNotification & Sendable, Closure: Sendable>(
        _ registration: AsynchronousRegistration<N>, tiedBy ownership: Ownership? = nil, calling closure: Closure,
        startingTurns start: @escaping @Sendable (Mailbox<N>, WeakObserver<Closure>) -> Void
    ) -> MailboxObservation<N> {
        let responder = FailureResponder(registration.onFailure)
        let observer = HeldObserver(closure, respond: responder.respond)
        let mailbox = Mailbox<N>(buffering: registration.policy, for: registration.observer) {
            // The mailbox holds the observer.
            [observer, reference = WeakObserver(observer)] mailbox in
            extendLifetime(observer)
            start(mailbox, reference)
        }
        let base = observe(
            N.self, sender: registration.sender,
            registration: registration.registration(mailbox, owner: ownership?.owner),
            using: registration.receiver(MailboxEntrance(mailbox, tiedBy: ownership)))
        let observation = MailboxObservation(base: base, mailbox: mailbox)
        responder.isRegistered(as: observation)
        return observation
    }

    /// Registers an observer that is called in tasks.
    ///
    /// - Parameters:
    ///   - registration: The details of the observer.
    ///   - closure: The observer's closure.
    ///   - takeTurn: Takes a turn, and returns whether to take another one.
    /// - Returns: The token.
    @inlinable
    func observe<N: TypedNotification & Sendable, Closure: Sendable>(
        _ registration: AsynchronousRegistration<N>, calling closure: Closure,
        takeTurn: @escaping @Sendable (Mailbox<N>, WeakObserver<Closure>) async -> Bool
    ) -> NotificationToken {
        observe(registration, calling: closure) { mailbox, observer in
            mailbox.takeTurns { await takeTurn(mailbox, observer) }
        }
        .token()
    }

    /// Registers an observer that is called in tasks, with an owner that it is tied to.
    ///
    /// - Parameters:
    ///   - registration: The details of the observer.
    ///   - owner: The owner, held weakly.
    ///   - closure: The observer's closure.
    ///   - takeTurn: Takes a turn, with the owner, and returns whether to take another one.
    /// - Returns: The token.
    @inlinable
    func observe<N: TypedNotification & Sendable, Owner: AnyObject & Sendable, Closure: Sendable>(
        _ registration: AsynchronousRegistration<N>, owner: Owner, calling closure: Closure,
        takeTurn: @escaping @Sendable (Mailbox<N>, Owner, WeakObserver<Closure>) async -> Bool
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        return observe(registration, tiedBy: ownership, calling: closure) { mailbox, observer in
            guard ownership.owner.isAlive else { return ownership.end() }
            mailbox.takeTurns {
                guard let owner = ownership.owner.object(as: Owner.self) else {
                    ownership.end()
                    return false
                }
                return await takeTurn(mailbox, owner, observer)
            } afterwards: {
                if !ownership.owner.isAlive { ownership.end() }
            }
        }
        .token(of: ownership)
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
    @inlinable
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

/// The closure of an asynchronous observer, held by its mailbox alone.
///
/// A turn that waits for its actor, or for its queue, refers to it weakly, and takes hold of it when it runs. So what a
/// cancelled observer captured is released at once, however long the actor is busy.
@usableFromInline
package final class HeldObserver<Closure: Sendable>: Sendable {
    @usableFromInline package let closure: Closure

    /// Called with the error of a call that threw one; `nil` if it is reported and nothing else.
    @usableFromInline package let respond: (@Sendable (any Error) -> Void)?

    @inlinable
    init(_ closure: Closure, respond: (@Sendable (any Error) -> Void)?) {
        self.closure = closure
        self.respond = respond
    }
}

/// A turn's reference to the closure of an asynchronous observer.
@usableFromInline
package final class WeakObserver<Closure: Sendable>: Sendable {
    private let reference: ObjectReference

    @usableFromInline
    init(_ observer: HeldObserver<Closure>) { reference = ObjectReference(observer) }

    /// The closure, with the response to its errors; `nil` once the observer was cancelled.
    @usableFromInline package var held: HeldObserver<Closure>? { reference.object(as: HeldObserver<Closure>.self) }

    /// The closure; `nil` once the observer was cancelled.
    @inlinable package var closure: Closure? { held?.closure }
}
