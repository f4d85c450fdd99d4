/// What the values of one decoding share: the notification they belong to, and how many may still be looked at.
final class DecodingSession {
    let notification: String
    let object: Any?
    let maximumDepth: Int
    private var remainingCount: Int

    init(limits: UserInfoDecoder, notification: String, object: Any? = nil) {
        self.notification = notification
        self.object = object
        maximumDepth = limits.maximumDepth
        remainingCount = limits.maximumCount
    }

    /// Decodes a dictionary and throws the error that its values' errors carry.
    func decode<T>(
        _ userInfo: [AnyHashable: Any], with body: (DecodingNode) throws(DecodingError) -> T
    ) throws(NotificationDecodingError) -> T {
        do {
            return try body(DecodingNode(root: userInfo, session: self))
        } catch {
            guard let carried = error.carried else { preconditionFailure("every error of a node carries one") }
            throw carried
        }
    }

    /// Counts elements that are about to be looked at.
    ///
    /// - Returns: Whether that many still may.
    func take(_ count: Int) -> Bool {
        guard count <= remainingCount else { return false }
        remainingCount -= count
        return true
    }
}
