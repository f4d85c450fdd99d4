/// A task that posted.
///
/// Two posts with different numbers were made by different tasks. A task can get the number of one that has ended.
public struct PostingTask: Hashable, Sendable {
    /// A number, in the order in which a recorder met the tasks.
    public let number: Int

    /// The name of the task, if it was given one.
    public let name: String?
}

extension PostingTask: CustomStringConvertible {
    /// The number and the name.
    public var description: String { name.map { "task \(number) “\($0)”" } ?? "task \(number)" }
}
