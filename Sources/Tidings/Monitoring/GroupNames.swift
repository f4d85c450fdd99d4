/// The names of the groups that hold observers, by the numbers of those.
///
/// An observer is added to a group when it has long been registered, and its description is made for every event that monitors
/// are told of. So the name is not in the description: it is looked up when it is asked for.
@usableFromInline
enum GroupNames {
    private static let names = Lock<[UInt64: String]>([:])

    /// The name of the group that holds an observer; `nil` if none does.
    static func name(of observer: UInt64) -> String? { names.withLock { $0[observer] } }

    /// Notes that a group holds observers.
    @usableFromInline
    static func set(_ name: String, of observers: [UInt64]) {
        names.withLock { names in for observer in observers { names[observer] = name } }
    }

    /// Forgets the groups of observers.
    @usableFromInline
    static func remove(_ observers: [UInt64]) {
        names.withLock { names in for observer in observers { names[observer] = nil } }
    }
}

/// The names that observers were given, one by one, by the numbers of those: of a durable observer the one by which its table knows it.
@usableFromInline
package final class GivenName: Sendable {
    private static let names = Lock<[UInt64: String]>([:])

    private let numbers: [UInt64]

    /// Names observers for as long as this lives.
    package init(_ name: String, of observers: [UInt64]) {
        numbers = observers
        Self.names.withLock { names in for observer in observers { names[observer] = name } }
    }

    deinit { Self.names.withLock { names in for number in numbers { names[number] = nil } } }

    /// The name that an observer was given; `nil` if it was given none.
    @usableFromInline
    static func name(of observer: UInt64) -> String? { names.withLock { $0[observer] } }
}

extension ObserverDescription {
    /// The name of the ``ObserverGroup`` that holds the observer now; `nil` if none does.
    ///
    /// It is known until the group lets go of the observer: when monitors are told that the observer has ended as the group
    /// finished, it still is.
    public var group: String? { GroupNames.name(of: id.number) }
}
