/// The names of groups, by the numbers of their observers. Descriptions don't store the name, because they are created
/// for every event, and an observer joins its group after its registration.
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

/// The name that identifies a durable observer in its table.
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
