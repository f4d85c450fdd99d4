/// Gives every notification the name of its module as a namespace, until a module chooses one of its own.
///
/// Do not adopt this protocol: it holds the default that ``Namespaced`` overrides.
public protocol ModuleNamespaced {
    /// The first part of the names of notifications: by default, the name of the module that declares the type.
    static var namespace: String { get }
}

extension ModuleNamespaced {
    /// The name of the module that declares the type.
    public static var namespace: String { QualifiedTypeName(Self.self).module }
}

/// Chooses the namespace of notification names.
///
/// Adopt it once for a whole module, with an extension that is internal to the module:
///
/// ```swift
/// extension Namespaced {
///     static var namespace: String { "org.example.reader" }
/// }
/// ```
///
/// or for one type, by declaring a static `namespace` in it. Without either, the namespace is the module's name.
///
/// An internal extension is for internal notifications: a public one needs a public namespace, and a public extension of
/// `Namespaced` would reach every module that imports yours. Give public notifications a protocol of the module's own:
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

/// The name of a type, split into its module and the path within it.
@usableFromInline
struct QualifiedTypeName {
    /// The module that declares the type; for a type declared in an extension, the module of the extension.
    let module: String

    /// The type's name within its module: `Outer.Inner`, `Changed<Swift.Int>`.
    let path: String

    /// The module and the path: `Module.Outer.Inner`.
    @usableFromInline var full: String { "\(module).\(path)" }

    @usableFromInline
    init(_ type: Any.Type) {
        self.init(parsing: _typeName(type, qualified: true))
    }

    /// Reads a name as the runtime spells it: `Module.Path`, or `(extension in Module):OtherModule.Path`.
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

/// Describes an object by its type and its address. No code of the object runs.
func describe(_ object: AnyObject) -> String { describe(type(of: object), ObjectIdentifier(object)) }

/// Describes an object by its type and its address; the object may be gone.
func describe(_ type: Any.Type, _ address: ObjectIdentifier) -> String {
    "\(QualifiedTypeName(type).path) (0x\(String(UInt(bitPattern: address), radix: 16)))"
}
