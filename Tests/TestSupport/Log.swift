import Tidings

/// What observers saw, in the order in which they saw it.
package final class Log<Value: Sendable>: Sendable {
    private let storage = Lock<[Value]>([])

    package init() {}

    package var values: [Value] { storage.withLock { $0 } }
    package var count: Int { storage.withLock { $0.count } }

    package func append(_ value: Value) { storage.withLock { $0.append(value) } }
}
