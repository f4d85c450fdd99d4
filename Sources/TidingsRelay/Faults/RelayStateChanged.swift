/// A change of a relay's state, posted in the relay's center.
///
/// ```swift
/// center.addObserver(for: RelayStateChanged.self) { change in print(change.state) }.store(in: &tokens)
/// ```
public struct RelayStateChanged: TypedNotification, Hashable, Sendable {
    /// The states of a relay.
    @nonexhaustive
    public enum State: String, Hashable, Sendable {
        /// The relay is connected, and its subscriptions have been sent.
        case connected
        /// The relay has no connection.
        case disconnected
        /// The relay accepts no more posts, and waits for messages in progress.
        case finishing
        /// The relay has ended.
        case ended
    }

    /// The name of the program on the wire: see ``RelayOptions/name``.
    public let name: String

    /// The current state of the relay.
    public let state: State

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - name: The name of the program on the wire.
    ///   - state: The current state of the relay.
    public init(_ name: String, _ state: State) {
        self.name = name
        self.state = state
    }
}
