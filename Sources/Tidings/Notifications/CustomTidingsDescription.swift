/// A type that provides a description of its values for lists, monitors and inspectors: a notification, a message of a
/// bus, a sender that is a value, or an error that an observer throws.
///
/// The contents of a notification aren't shown anywhere unless its type conforms to this protocol. The description is
/// only evaluated while posts are followed, for example by an inspector. It is evaluated during the post, on its
/// thread, so it should be fast. A sender that is a value, or an error in an inspector, is shown by its type alone,
/// unless the type conforms.
///
/// ```swift
/// extension SubscriptionsChanged: CustomTidingsDescription {
///     var tidingsDescription: String { "\(subscribed.count) subscriptions" }
/// }
/// ```
///
/// Posts on Foundation's center are shown without a description.
public protocol CustomTidingsDescription {
    /// The text that may be shown. Readers truncate it.
    var tidingsDescription: String { get }
}

/// Returns the text that may be shown for a value of the program, such as a sender or an error: the type's own
/// description, or the name of the type. A value may contain private data, and the text is also stored and sent.
package func shownWords(of value: Any) -> String {
    let value = (value as? AnyHashable)?.base ?? value
    if let described = value as? any CustomTidingsDescription { return described.tidingsDescription }
    // Without the addresses by which the runtime distinguishes private types with the same name.
    return QualifiedTypeName(type(of: value)).path.split(separator: ".")
        .filter { !$0.hasPrefix("(unknown context at ") }.joined(separator: ".")
}
