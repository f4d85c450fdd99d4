extension TypedNotificationCenter {
    /// Calls an asynchronous closure with each notification of a type, one at a time, in the order posted.
    ///
    /// For observers that await something: the next notification waits until the closure has returned for this one. A
    /// closure that is marked with a global actor runs there.
    ///
    /// ```swift
    /// center.addObserver(on: .task, for: CacheCleared.self) { _ in await disk.clear() }.store(in: &tokens)
    /// center.addObserver(on: .task, for: CacheCleared.self) { @Database _ in Database.vacuum() }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: `.task`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure. Cancelling the token does not cancel a call that is running.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: TaskDelivery, for type: N.Type, sender: N.Sender? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @isolated(any) @Sendable (N) async -> Void
    ) -> NotificationToken {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .task)
        let held = HeldObserver(observer)
        let mailbox = Mailbox<N>(buffering: policy) { [held, isolation = observer.isolation] mailbox in
            mailbox.takeTurns { [weak held] in await mailbox.run(isolation: isolation) { held?.closure } }
        }
        return observe(
            type, sender: SenderFilter(unchecked: sender, N.senderComparison), registration: registration, in: mailbox
        ).token()
    }
}
