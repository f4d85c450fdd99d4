/// A delivery that may be repeated, with an identity by which its receiver recognizes the repetition.
///
/// An inbox in the receiver's database uses this identity to apply the effect of the delivery once.
public protocol IdentifiedDelivery: Sendable {
    /// The source of the delivery, within which identities are unique.
    var deliverySource: String { get }

    /// The identity, which is the same for each repetition.
    var deliveryID: String { get }
}
