/// Something that observers are added to and that is posted to: a peer, or ours.
///
/// The loops are in the peers, so that each is compiled for what it calls.
protocol Signal: AnyObject, Sendable {
    /// Adds the handlers `0 ..< count`, and keeps them.
    func add(handlers count: Int)

    /// Makes room for what keeps that many observers, so that it is not counted as theirs.
    func reserve(_ count: Int)

    /// Adds a handler that captures nothing and counts nothing, and cancels it, again and again.
    func addAndCancel(_ times: Int)

    /// Posts again and again.
    func post(_ times: Int, to sink: Sink)

    /// Another signal, or another type of notification in the same center.
    func sibling() -> any Signal
}
