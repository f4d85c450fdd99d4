/// What an observer is registered for: a notification type, or a name that Foundation's center knows.
public struct NotificationSubject: Sendable {
    private enum Storage {
        case type(Any.Type)
        case name(String)
    }

    private let storage: Storage

    /// The notification type, or the message type of a bus; `nil` for a name of Foundation's center.
    public var type: Any.Type? {
        if case .type(let type) = storage { type } else { nil }
    }

    /// The type with its module and the types it is nested in, as `Shop.Cart.Changed`; or the name.
    public var name: String {
        switch storage {
        case .type(let type): QualifiedTypeName(type).full
        case .name(let name): name
        }
    }

    /// A notification type. One that is on its way as another type stands for the other.
    package init(_ type: Any.Type) {
        storage = .type((type as? any BelongsToMainActor.Type)?.content ?? type)
    }

    /// A name of Foundation's center.
    package init(named name: String) { storage = .name(name) }
}

extension NotificationSubject: Hashable {
    /// Two subjects are the same if their types are, or their names.
    public static func == (lhs: NotificationSubject, rhs: NotificationSubject) -> Bool {
        switch (lhs.storage, rhs.storage) {
        case (.type(let mine), .type(let other)): mine == other
        case (.name(let mine), .name(let other)): mine == other
        default: false
        }
    }

    /// Hashes the type or the name.
    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .type(let type): hasher.combine(ObjectIdentifier(type))
        case .name(let name): hasher.combine(name)
        }
    }
}

extension NotificationSubject: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
