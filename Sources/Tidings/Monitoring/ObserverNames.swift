/// The names of durable observers, or the names of the groups of observers. ``ObserverDescription`` doesn't store them,
/// because a description is created for every event, and because an observer gets its names after its registration.
@usableFromInline
package final class ObserverNames: Sendable {
    @usableFromInline static let ofGroups = ObserverNames()

    /// The names of durable observers.
    @usableFromInline package static let given = ObserverNames()

    private let names = Lock<[UInt64: String]>([:])

    @usableFromInline
    func name(of observer: UInt64) -> String? { names.withLock { $0[observer] } }

    @usableFromInline
    package func set(_ name: String?, of observers: [UInt64]) {
        names.withLock { names in for observer in observers { names[observer] = name } }
    }
}

extension ObserverDescription {
    package var givenName: String? { ObserverNames.given.name(of: id.number) }

    /// The name of the ``ObserverGroup`` that holds the observer; `nil` if there is none. The name is still available
    /// when monitors receive ``NotificationEvent/ended(_:_:)``.
    public var group: String? { ObserverNames.ofGroups.name(of: id.number) }
}
