/// Something that may be delivered twice, with an identity by which the second time is known.
///
/// An inbox in the database of its receiver makes its effect happen once.
public protocol IdentifiedDelivery: Sendable {
    /// Where it comes from: identities differ within a source.
    var deliverySource: String { get }

    /// Its identity, the same each time it is delivered.
    var deliveryID: String { get }
}
