public import Tidings

/// A relay has connected, has lost its connection, or comes to its end. It is posted in the relay's center.
///
/// ```swift
/// center.addObserver(for: RelayStateChanged.self) { change in print(change.state) }.store(in: &tokens)
/// ```
public struct RelayStateChanged: TypedNotification, Hashable, Sendable {
    /// What a relay can be.
    @nonexhaustive
    public enum State: String, Hashable, Sendable {
        /// It is connected, and everything it subscribes to is on its way.
        case connected
        /// It has no connection any more.
        case disconnected
        /// It takes nothing more, and waits for what is in progress.
        case finishing
        /// It has ended.
        case ended
    }

    /// What the program is called on the wire, see ``RelayOptions/name``.
    public let name: String

    /// What the relay is now.
    public let state: State

    /// Describes a change.
    ///
    /// - Parameters:
    ///   - name: What the program is called on the wire.
    ///   - state: What the relay is now.
    public init(_ name: String, _ state: State) {
        self.name = name
        self.state = state
    }
}
