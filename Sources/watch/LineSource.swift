import Tidings

/// Where lines come from: the sender of every line.
protocol LineSource: AnyObject, Sendable {
    /// What the summary calls it.
    var title: String { get }

    /// Posts every line, and returns how it ended when there is no more.
    @MainActor
    func run(postingTo center: some TypedNotificationCenter) async throws -> Ending
}
