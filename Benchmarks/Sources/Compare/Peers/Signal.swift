/// A list of handlers that is measured. Each implementation has its own loops, so that the compiler specializes them
/// for the code they call.
protocol Signal: AnyObject, Sendable {
    func add(handlers count: Int)

    /// Reserves storage for the tokens of `count` observers, so that measurements of observers don't include this
    /// storage.
    func reserve(_ count: Int)

    /// Adds and cancels a handler that captures nothing and counts nothing, `times` times.
    func addAndCancel(_ times: Int)

    func post(_ times: Int, to sink: Sink)

    /// Creates a list with its own handlers: another signal, or another type of notification in the same center.
    func sibling() -> any Signal
}
