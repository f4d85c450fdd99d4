/// Gives every notification the name of its module as a namespace, until a module chooses one of its own.
///
/// You never adopt this protocol: it holds the default that ``Namespaced`` overrides.
public protocol ModuleNamespaced {
    /// What the names of notifications begin with. Defaults to the name of the module that declares the type.
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
