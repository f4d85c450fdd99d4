/// Each implementation has its own loops, so that the loops are specialized for the code they call.
protocol Signal: AnyObject, Sendable {
    func add(handlers count: Int)

    /// Reserves storage for the tokens of that many observers, so that this storage isn't measured with the observers.
    func reserve(_ count: Int)

    /// The handler captures nothing and counts nothing.
    func addAndCancel(_ times: Int)

    func post(_ times: Int, to sink: Sink)

    /// Creates another signal, or uses another type of notification in the same center.
    func sibling() -> any Signal
}
