extension Snippet {
    private static let isNotRemote = "does not conform to protocol 'RemoteNotification'"

    /// The requirements for a notification to be sent to other processes. They have no default.
    static let relays = [
        Snippet(
            "a notification that crosses, without a name on the wire", .error(isNotRemote),
            """
            import TidingsRelay
            struct Placed: RemoteNotification {
                «|static let wireName = "placed"»
                let number: Int
            }
            """),
        Snippet(
            "a notification that crosses, whose sender is an object, without the value that stands for it",
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
            "a notification that crosses, whose sender is compared by value and has no text, without one",
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
            "a notification that crosses, with something that cannot be encoded",
            .error("type 'Opened' does not conform to protocol '"),
            """
            import TidingsRelay
            struct Opened: RemoteNotification {
                static let wireName = "opened"
                let by: «Account|String»
            }
            """),
        Snippet(
            "a notification of the main actor, which cannot cross",
            .error("type 'Drawn' does not conform to protocol '"),
            """
            import TidingsRelay
            struct Drawn: «MainActorNotification, |»RemoteNotification { static let wireName = "drawn" }
            """),
    ]
}
