// A module whose default isolation is the main actor, as new projects of apps have it: its types conform to `Hashable` there.
public import Tidings

/// A value whose conformance to `Hashable` belongs to the main actor.
public struct ItemID: Hashable {
    public var number: Int
    nonisolated public init(number: Int) { self.number = number }
}

/// A value of which the module says that it can be compared anywhere.
nonisolated public struct FreeID: Hashable, Sendable {
    public var number: Int
    public init(number: Int) { self.number = number }
}

nonisolated public struct ItemChanged: TypedNotification {
    public let sender: ItemID
    public init(sender: ItemID) { self.sender = sender }
}

nonisolated public struct OptionalItemChanged: TypedNotification {
    public let sender: ItemID?
    public init(sender: ItemID?) { self.sender = sender }
}

nonisolated public struct FreeChanged: TypedNotification {
    public let sender: FreeID
    public init(sender: FreeID) { self.sender = sender }
}

public struct ItemShown: MainActorNotification {
    public let sender: ItemID
    public init(sender: ItemID) { self.sender = sender }
}
