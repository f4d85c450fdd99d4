/// A notification, a message of a bus, a value that is a sender, or an error of an observer, that says in words what lists,
/// monitors and inspectors may show of it.
///
/// What a notification holds is shown nowhere, unless its type says so by this. It is asked only while posts are followed, by an
/// inspector for example, in the post and on its thread; so it should be quick. Of a sender that is a value, and of an error that
/// an inspector shows, the type alone is shown, unless it conforms.
///
/// ```swift
/// extension SubscriptionsChanged: CustomTidingsDescription {
///     var tidingsDescription: String { "\(subscribed.count) subscriptions" }
/// }
/// ```
///
/// Posts on Foundation's center are shown without.
public protocol CustomTidingsDescription {
    /// What may be shown. Readers cut it to a length of theirs.
    var tidingsDescription: String { get }
}

/// What may be shown of a value of a program's, such as a sender or an error: the words that its type has for it, or the name of the
/// type. A value may hold what nobody else should read, and what is shown is saved and sent.
package func shownWords(of value: Any) -> String {
    let value = (value as? AnyHashable)?.base ?? value
    return (value as? any CustomTidingsDescription)?.tidingsDescription ?? QualifiedTypeName(type(of: value)).path
}
