/// The names of the groups that hold observers, by the numbers of the observers.
///
/// An observer is added to a group after its registration, and its description is created for every event. So the name
/// is looked up when it is needed, and isn't part of the description.
@usableFromInline
enum GroupNames {
    private static let names = Lock<[UInt64: String]>([:])

    /// The name of the group that holds an observer; `nil` if there is none.
    static func name(of observer: UInt64) -> String? { names.withLock { $0[observer] } }

    @usableFromInline
    static func set(_ name: String, of observers: [UInt64]) {
        names.withLock { names in for observer in observers { names[observer] = name } }
    }

    @usableFromInline
    static func remove(_ observers: [UInt64]) {
        names.withLock { names in for observer in observers { names[observer] = nil } }
    }
}

/// The individual names of observers, by the numbers of the observers. A durable observer has the name by which its
/// table identifies it.
@usableFromInline
package final class GivenName: Sendable {
    private static let names = Lock<[UInt64: String]>([:])

    private let numbers: [UInt64]

    /// Names observers for as long as this object is alive.
    package init(_ name: String, of observers: [UInt64]) {
        numbers = observers
        Self.names.withLock { names in for observer in observers { names[observer] = name } }
    }

    deinit { Self.names.withLock { names in for number in numbers { names[number] = nil } } }

    /// The name of an observer; `nil` if it has none.
    @usableFromInline
    static func name(of observer: UInt64) -> String? { names.withLock { $0[observer] } }
}

extension ObserverDescription {
    /// The name of a durable observer in its table; `nil` for other observers.
    package var givenName: String? { GivenName.name(of: id.number) }

    /// The name of the ``ObserverGroup`` that currently holds the observer; `nil` if there is none.
    ///
    /// It is available until the group releases the observer. When the group finishes and monitors receive the end of
    /// the observer, the name is still available.
    public var group: String? { GroupNames.name(of: id.number) }
}
