/// Gives durable observers their name, for as long as this object lives.
final class GivenName: Sendable {
    private let numbers: [UInt64]

    init(_ name: String, of observers: [UInt64]) {
        numbers = observers
        ObserverNames.given.set(name, of: observers)
    }

    deinit { ObserverNames.given.set(nil, of: numbers) }
}
