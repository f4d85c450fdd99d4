extension Snippet {
    private static let isNotRemote = "does not conform to protocol 'RemoteNotification'"

    /// The requirements of `RemoteNotification` that have no default implementation.
    static let relays = [
        Snippet(
            "a remote notification without a wire name", .error(isNotRemote),
            """
            import TidingsRelay
            struct Placed: RemoteNotification {
                «|static let wireName = "placed"»
                let number: Int
            }
            """),
        Snippet(
            "a remote notification whose sender is an object, without a value that represents it",
            .error(isNotRemote),
            """
            import TidingsRelay
            final class Customer: Codable, Sendable {}
            struct Ordered: RemoteNotification {
                static let wireName = "ordered"
                let sender: Customer
                «|var remoteSender: String? { "customer" }»
            }
            """),
        Snippet(
            "a remote notification whose sender is a value without a text form",
            .error(isNotRemote),
            """
            import TidingsRelay
            struct Place: Codable, Hashable, Sendable { var row = 0 }
            struct Taken: RemoteNotification {
                static let wireName = "taken"
                let sender: Place
                «|var remoteSender: String? { "\\(sender.row)" }»
            }
            """),
        Snippet(
            "a remote notification with a property that cannot be encoded",
            .error("type 'Opened' does not conform to protocol '"),
            """
            import TidingsRelay
            struct Opened: RemoteNotification {
                static let wireName = "opened"
                let by: «Account|String»
            }
            """),
        Snippet(
            "a main-actor notification as a remote notification",
            .error("type 'Drawn' does not conform to protocol '"),
            """
            import TidingsRelay
            struct Drawn: «MainActorNotification, |»RemoteNotification { static let wireName = "drawn" }
            """),
    ]
}
