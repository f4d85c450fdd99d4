// A module whose default isolation is the main actor, as new projects of apps have it: its types conform to `Hashable` there.
import Tidings

/// A value whose conformance to `Hashable` belongs to the main actor.
package struct ItemID: Hashable {
    package var number: Int
    nonisolated package init(number: Int) { self.number = number }
}

/// A value of which the module says that it can be compared anywhere.
nonisolated package struct FreeID: Hashable, Sendable {
    package var number: Int
    package init(number: Int) { self.number = number }
}

nonisolated package struct ItemChanged: TypedNotification {
    package let sender: ItemID
    package init(sender: ItemID) { self.sender = sender }
}

nonisolated package struct OptionalItemChanged: TypedNotification {
    package let sender: ItemID?
    package init(sender: ItemID?) { self.sender = sender }
}

nonisolated package struct FreeChanged: TypedNotification {
    package let sender: FreeID
    package init(sender: FreeID) { self.sender = sender }
}

package struct ItemShown: MainActorNotification {
    package let sender: ItemID
    package init(sender: ItemID) { self.sender = sender }
}
