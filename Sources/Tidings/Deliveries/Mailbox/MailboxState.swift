/// What changes in a mailbox, under its lock. Each step returns what is to be done, or released, when the lock is free.
@usableFromInline
struct MailboxState<Element: Sendable>: Sendable {
    /// Kept in a struct: a bare closure read out of a generic container is wrapped in a thunk at each access.
    @usableFromInline
    struct Runner: Sendable {
        @usableFromInline let start: Mailbox<Element>.Runner

        @inlinable
        init(start: @escaping Mailbox<Element>.Runner) { self.start = start }
    }

    /// Who tells monitors what becomes of elements, and what they know of each.
    var watcher: QueueWatcher?
    var traces = QueueTraces()

    @usableFromInline var backlog: Backlog<Queued<Element>>
    @usableFromInline var isOpen = true

    /// Whether the runner was told, and has not found the backlog empty since.
    @usableFromInline var isScheduled = false

    /// Let go when the mailbox has ended, with whatever the observer captured.
    @usableFromInline var runner: Runner?

    /// Whether the observer is at work.
    @usableFromInline var isRunning = false

    /// The call that is running, if somebody may wait for it, and who does.
    @usableFromInline var call: Call?
    @usableFromInline var waiting: [CheckedContinuation<Void, Never>] = []

    @inlinable
    init(_ policy: BufferingPolicy, runner: Runner) {
        backlog = Backlog(policy)
        self.runner = runner
    }

    /// - Returns: What was dropped or refused, and the runner if it is to be told.
    @inlinable
    mutating func put(_ element: Queued<Element>) -> (dropped: Queued<Element>?, runner: Runner?) {
        guard isOpen else { return (element, nil) }
        let dropped = backlog.append(element)
        if isScheduled || backlog.isEmpty { return (dropped, nil) }
        isScheduled = true
        return (dropped, runner)
    }

    /// Moves what is to be handled next into an empty batch.
    ///
    /// - Returns: Whether there was anything, and the runner if it is to be released. If there was nothing, the runner is
    ///   told again when there is.
    @inlinable
    mutating func take(into batch: inout Batch<Queued<Element>>) -> (hasTaken: Bool, released: Runner?) {
        if backlog.take(into: &batch) { return (true, nil) }
        isScheduled = false
        return (false, isOpen ? nil : runner.take())
    }

    /// Takes back what was not handled, and notes that no call is running.
    ///
    /// - Returns: Who waited for that.
    @inlinable
    mutating func endCall(returning rest: inout Batch<Queued<Element>>) -> [CheckedContinuation<Void, Never>] {
        if !rest.isEmpty { backlog.putBack(&rest) }
        call = nil
        isRunning = false
        defer { waiting = [] }
        return waiting
    }

    /// Ends the mailbox. What is queued is still handled.
    mutating func finish() -> Runner? {
        isOpen = false
        return isScheduled ? nil : runner.take()
    }

    /// Ends the mailbox. What is queued is discarded.
    mutating func cancel() -> (Backlog<Queued<Element>>, released: (Runner?, QueueWatcher?)) {
        isOpen = false
        return (backlog.removeAll(), (runner.take(), watcher.take()))
    }
}
