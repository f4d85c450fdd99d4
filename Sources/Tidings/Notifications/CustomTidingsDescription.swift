/// A type that describes its values for lists, monitors and inspectors. Notifications, messages of a bus, senders that
/// are values, and errors that observers throw can conform.
///
/// Without this conformance, the contents of a notification are never shown, and a sender or an error is shown by its
/// type. The description of a notification is only evaluated while a monitor, such as an inspector, follows posts. It
/// is evaluated on the thread that posts, so it should be fast.
///
/// ```swift
/// extension SubscriptionsChanged: CustomTidingsDescription {
///     var tidingsDescription: String { "\(subscribed.count) subscriptions" }
/// }
/// ```
///
/// Posts on Foundation's center are shown without a description.
public protocol CustomTidingsDescription {
    /// The text to show. Inspectors truncate long texts.
    var tidingsDescription: String { get }
}

/// Returns the text to show for a value. A value that isn't a ``CustomTidingsDescription`` is shown as the name of its
/// type, because the text is stored and sent, and a value may contain private data.
package func shownWords(of value: Any) -> String {
    let value = (value as? AnyHashable)?.base ?? value
    if let described = value as? any CustomTidingsDescription { return described.tidingsDescription }
    return shownName(of: type(of: value))
}
