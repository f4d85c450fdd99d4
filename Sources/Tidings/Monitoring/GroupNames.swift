/// The names of the groups that hold observers, by the numbers of the observers. An observer is added to a group after
/// its registration, so its description, which is created for every event, doesn't contain the name.
@usableFromInline
enum GroupNames {
    private static let names = Lock<[UInt64: String]>([:])

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

/// The name by which the table of a durable observer identifies it.
@usableFromInline
package final class GivenName: Sendable {
    private static let names = Lock<[UInt64: String]>([:])

    private let numbers: [UInt64]

    package init(_ name: String, of observers: [UInt64]) {
        numbers = observers
        Self.names.withLock { names in for observer in observers { names[observer] = name } }
    }

    deinit { Self.names.withLock { names in for number in numbers { names[number] = nil } } }

    @usableFromInline
    static func name(of observer: UInt64) -> String? { names.withLock { $0[observer] } }
}

extension ObserverDescription {
    package var givenName: String? { GivenName.name(of: id.number) }

    /// The name of the ``ObserverGroup`` that holds the observer; `nil` if there is none. The name is still available
    /// when monitors receive the end of the observer.
    public var group: String? { GroupNames.name(of: id.number) }
}
