import Tidings

/// How many observers a post called, which is known when it has ended.
final class CallCount: Sendable {
    private let storage = Lock<Int?>(nil)

    var count: Int? {
        get { storage.withLock { $0 } }
        set { storage.withLock { $0 = newValue } }
    }
}
