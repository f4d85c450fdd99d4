extension TypedNotificationCenter {
    /// Calls a closure on the main actor with each notification of a type, one at a time, in the order posted.
    ///
    /// The closure always runs after the post, also when that is made on the main actor. For one that runs in the post, see
    /// ``MainActorNotification``.
    ///
    /// ```swift
    /// center.addObserver(on: MainActor.self, for: CacheCleared.self) { _ in label.text = "" }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - actor: `MainActor.self`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on actor: MainActor.Type, for type: N.Type, sender: N.Sender? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .mainActor)
        let held = HeldObserver<@MainActor @Sendable (N) -> Void>(observer)
        let mailbox = Mailbox<N>(buffering: policy) { [held] mailbox in
            mailbox.takeTurns { [weak held] in await mailbox.runOnMainActor { held?.closure } }
        }
        return observe(
            type, sender: SenderFilter(unchecked: sender, N.senderComparison), registration: registration, in: mailbox
        ).token()
    }

    /// Calls a closure on the main actor with its owner and each notification of a type, one at a time, in the order posted,
    /// for as long as the owner lives.
    ///
    /// The owner is held weakly and handed in, so that the closure need not capture it. When it is gone the observation is
    /// over, and what was queued is discarded.
    ///
    /// ```swift
    /// center.addObserver(self, on: MainActor.self, for: CacheCleared.self) { me, _ in me.label.text = "" }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner.
    ///   - actor: `MainActor.self`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on actor: MainActor.Type, for type: N.Type, sender: N.Sender? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let registration = ObserverRegistration(
            fileID: fileID, line: line, delivery: .mainActor, owner: ownership.owner)
        let held = HeldObserver<@MainActor @Sendable (Owner, N) -> Void>(observer)
        let mailbox = Mailbox<N>(buffering: policy) { [weak owner, held] mailbox in
            guard ownership.owner.isAlive else { return ownership.end() }
            mailbox.takeTurns { [weak held] in
                guard let owner else { return ownership.endsTurns() }
                return await mailbox.runOnMainActor {
                    held.map { held in { @MainActor @Sendable note in held.closure(owner, note) } }
                }
            }
        }
        return observe(
            type, sender: SenderFilter(unchecked: sender, N.senderComparison), registration: registration, in: mailbox,
            tiedBy: ownership
        )
        .token(of: ownership)
    }
}

extension Mailbox {
    /// Calls a closure on the main actor with what is queued, for a turn.
    @MainActor
    @inlinable
    func runOnMainActor(_ held: @Sendable () -> (@MainActor @Sendable (Element) -> Void)?) -> Bool {
        guard let observer = held() else { return false }
        return run { element in observer(element) }
    }
}
