public import Tidings

// An internal extension of `Namespaced` gives the internal notifications of this module a namespace.
extension Namespaced {
    static var namespace: String { "org.example.reader" }
}

struct PageTurned: TypedNotification {
    struct Back: TypedNotification {}
}

struct WindowOpened: MainActorNotification {}

struct Exported: TypedNotification {
    static let namespace = "org.example.exporter"
}

struct Renamed: TypedNotification {
    static let name = "ReaderDidRename"
}

/// The names of the internal notifications.
public let internalNames = [
    PageTurned.name, PageTurned.Back.name, WindowOpened.name, Exported.name, Renamed.name,
]

/// Gives the public notifications of the module their namespace. A public extension of `Namespaced` would affect every
/// module that imports this one.
public protocol ReaderNotification: TypedNotification {}

extension ReaderNotification {
    /// The namespace of the module.
    public static var namespace: String { "org.example.reader" }
}

/// A public notification.
public struct LibraryChanged: ReaderNotification {}

/// A generic public notification.
public struct Changed<Value: Sendable>: ReaderNotification {}

/// A namespace in which other modules declare notifications.
public enum Library {}
