// A module whose default isolation is the main actor, as in new app projects. Unless a type is `nonisolated`, it
// conforms to `Hashable` on the main actor.
import Tidings

/// A value whose conformance to `Hashable` is isolated to the main actor.
package struct ItemID: Hashable {
    package var number: Int
    nonisolated package init(number: Int) { self.number = number }
}

/// A nonisolated value, which can be compared anywhere.
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
