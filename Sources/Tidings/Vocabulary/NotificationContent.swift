/// What every notification has: a name made from its type, and the sender it is about.
///
/// Adopt one of the two protocols that refine it: ``TypedNotification`` for a notification that may be posted anywhere,
/// ``MainActorNotification`` for one that belongs to the main actor. A type cannot adopt both.
public protocol NotificationContent: Namespaced, SendableMetatype {
    /// The type of the sender: a class, a `Hashable` value, an existential, or `Void` for a notification without one.
    associatedtype Sender = Void

    /// Where the notification may be posted. The two refining protocols decide it.
    associatedtype Isolation

    /// The name under which centers that work with names, such as Foundation's, know the notification.
    ///
    /// The default is the namespace and the type, `namespace.Outer.Inner`. The native center never looks at it: there, the
    /// type itself is the identity.
    ///
    /// Declare a name of your own for a private or local type that is posted through Foundation's center: the default
    /// then contains an address, which is unique within a process but changes from one launch to the next.
    static var name: String { get }

    /// What the notification is about. Observers can be limited to one sender.
    var sender: Sender { get }

    /// How senders are told apart. The compiler chooses it by the type of the sender: never implement it.
    static var senderComparison: SenderComparison<Sender> { get }
}

extension NotificationContent {
    /// The namespace and the type, `namespace.Outer.Inner`.
    public static var name: String { "\(namespace).\(QualifiedTypeName(Self.self).path)" }
}

extension NotificationContent where Sender == Void {
    /// Nothing: the notification has no sender.
    public var sender: Void { () }
}
