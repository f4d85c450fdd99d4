/// Where and when an observer runs.
public struct Delivery: Hashable, Sendable, CustomStringConvertible {
    /// The delivery in words.
    public let description: String

    /// A delivery of your own, for a center or an extension that adds one.
    ///
    /// - Parameter description: The delivery in words, as a list of observers shows it.
    public init(_ description: String) {
        self.description = description
    }

    /// In the post, synchronously, on the thread that posts.
    public static let inPost = Delivery("in the post")

    /// In the post, synchronously, on the main actor: a ``MainActorNotification``.
    public static let inPostOnMainActor = Delivery("in the post, on the main actor")

    /// Into a sequence, whose consumer takes it from there.
    public static let sequence = Delivery("as a sequence")
}
