import Tidings

extension Workload {
    static let manyTypes = Workload(
        name: "post in a center of many types", parameterName: "types", unit: .nanoseconds(per: "post")
    ) {
        [1, 100_000].map { types in
            let center = NativeNotificationCenter()
            var kinds = Kinds(center: center, wanted: types - 1)
            kinds.observe(Leaf.self, depth: 16)
            let signal = TidingsCenter(center: center)
            signal.add(handlers: 1)
            let poster = Contender.poster(.tidings, parameter: types, signal, observers: 1)
            return Contender(subject: .tidings, parameter: types) { [kinds] count in
                defer { withExtendedLifetime(kinds) {} }
                return try await poster.sample(count)
            }
        }
    }
}

/// Observes types that are created at run time.
private struct Kinds {
    let center: NativeNotificationCenter
    let wanted: Int
    var tokens: [NotificationToken] = []

    /// Observes a type and two types built from it, recursively to the given depth, until `wanted` types are observed.
    mutating func observe<N: TypedNotification>(_ type: N.Type, depth: Int) {
        guard tokens.count < wanted else { return }
        tokens.append(center.addObserver(for: type) { _ in })
        guard depth > 0 else { return }
        observe(Kind<Leaf, N>.self, depth: depth - 1)
        observe(Kind<N, Leaf>.self, depth: depth - 1)
    }
}

private struct Leaf: TypedNotification {}

private struct Kind<First: TypedNotification, Second: TypedNotification>: TypedNotification {}
