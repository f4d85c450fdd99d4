/// A delivery that may be repeated, with an identity by which its receiver recognises a repetition.
///
/// With an inbox in the database of its receiver, its effect happens once.
public protocol IdentifiedDelivery: Sendable {
    /// The source of the delivery. Identities are unique within a source.
    var deliverySource: String { get }

    /// The identity, which is the same for each repetition.
    var deliveryID: String { get }
}
