/// The default namespace of notification names: the name of the module.
///
/// Don't adopt this protocol. It only provides a default, which an extension of ``Namespaced`` can override.
public protocol ModuleNamespaced {
    /// The first part of a notification's name. The default is the name of the module that declares the type.
    static var namespace: String { get }
}

extension ModuleNamespaced {
    /// The name of the module that declares the type.
    public static var namespace: String { QualifiedTypeName(Self.self).module }
}

/// A type that chooses the namespace of its notification name.
///
/// To choose a namespace for a whole module, extend this protocol once, with an internal extension:
///
/// ```swift
/// extension Namespaced {
///     static var namespace: String { "org.example.reader" }
/// }
/// ```
///
/// To choose a namespace for a single type, declare a static `namespace` in it. The default is the module's name.
///
/// An internal extension only works for internal notifications, and a public extension of `Namespaced` would affect
/// every module that imports yours. So declare a protocol for the public notifications of your module:
///
/// ```swift
/// public protocol ReaderNotification: TypedNotification {}
///
/// extension ReaderNotification {
///     public static var namespace: String { "org.example.reader" }
/// }
///
/// public struct LibraryChanged: ReaderNotification {}
/// ```
public protocol Namespaced: ModuleNamespaced {}

/// Derives the name of a notification from a constant with a raw value, such as a `Notification.Name`.
///
/// Don't adopt this protocol directly, because every notification type inherits it. If a notification type declares its
/// name as a constant of a type other than `String`, the raw value of the constant is the name:
///
/// ```swift
/// struct EpisodeAdded: BridgedNotification, Codable {
///     static let name = Notification.Name("EpisodeAdded")  // or an existing constant: Notification.Name.episodeAdded
/// }
/// ```
///
/// A constant whose raw value isn't a `String` doesn't compile.
public protocol NamedByConstant {
    /// The type of the declared name. It has no constraint, so that unsuitable types get a helpful compiler error.
    associatedtype DeclaredName = UndeclaredName

    /// The declared name. The overload is disfavored, so that `N.name` is the string in generic code.
    @_disfavoredOverload
    static var name: DeclaredName { get }

    /// The raw value of the declared name, or `nil` if the name is a `String` or isn't declared. Don't implement it.
    static var _declaredName: String? { get }
}

/// The placeholder type for a name that isn't declared.
public struct UndeclaredName {}

extension NamedByConstant where DeclaredName == UndeclaredName {
    /// The placeholder for a name that isn't declared.
    @_disfavoredOverload
    public static var name: UndeclaredName { UndeclaredName() }

    /// `nil`, because no name is declared.
    public static var _declaredName: String? { nil }
}

extension NamedByConstant where DeclaredName == String {
    /// `nil`, because a `String` needs no conversion.
    public static var _declaredName: String? { nil }
}

extension NamedByConstant where DeclaredName: RawRepresentable<String> {
    /// The raw value of the declared name.
    public static var _declaredName: String? { (name as DeclaredName).rawValue }
}

// An enum may have a case `name`, which isn't the name of the notification.

extension NamedByConstant where DeclaredName == Self {
    /// `nil`, because `name` is a case of the enum.
    public static var _declaredName: String? { nil }
}

extension NamedByConstant where DeclaredName == Self, Self: RawRepresentable<String> {
    /// `nil`, because `name` is a case of the enum.
    public static var _declaredName: String? { nil }
}

extension NamedByConstant {
    /// Unavailable: a name must be a `String`, or have a raw value that is one. Without this declaration, the compiler
    /// would ignore a name of another type.
    @available(
        *, unavailable,
        message: "declare 'name' as a String, or as a constant whose raw value is a String, such as a Notification.Name"
    )
    public static var _declaredName: String? { nil }
}

@usableFromInline
struct QualifiedTypeName {
    /// The module that declares the type or, if the type is declared in an extension, the module of the extension.
    let module: String

    /// The name within the module, such as `Outer.Inner` or `Changed<Swift.Int>`.
    let path: String

    @usableFromInline var full: String { "\(module).\(path)" }

    @usableFromInline
    init(_ type: Any.Type) {
        self.init(parsing: _typeName(type, qualified: true))
    }

    /// Parses a name in the runtime's format: `Module.Path`, or `(extension in Module):OtherModule.Path`.
    init(parsing name: String) {
        let extensionPrefix = "(extension in "
        if name.hasPrefix(extensionPrefix), let close = name.firstIndex(of: ")") {
            module = String(name[name.index(name.startIndex, offsetBy: extensionPrefix.count)..<close])
            path = String(name[name.index(after: close)...].drop { $0 == ":" })
        } else if let dot = name.firstIndex(of: ".") {
            module = String(name[..<dot])
            path = String(name[name.index(after: dot)...])
        } else {
            module = "Swift"
            path = name
        }
    }
}

extension String {
    /// The name without the addresses that the runtime adds for private types. They differ between runs.
    @export(implementation) var withoutAddresses: String {
        split(separator: ".").filter { !$0.hasPrefix("(unknown context at ") }.joined(separator: ".")
    }
}

/// Returns the name of a type without its module. If the type is nested in a type of another module, the name begins
/// with the name of that module.
package func shownName(of type: Any.Type) -> String { QualifiedTypeName(type).path.withoutAddresses }

func describe(_ object: AnyObject) -> String { describe(type(of: object), ObjectIdentifier(object)) }

/// Describes an object by its type and address. The object isn't accessed, because it may have been deallocated.
func describe(_ type: Any.Type, _ address: ObjectIdentifier) -> String {
    "\(QualifiedTypeName(type).path) (0x\(String(UInt(bitPattern: address), radix: 16)))"
}
