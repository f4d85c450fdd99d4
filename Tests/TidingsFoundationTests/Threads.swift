import Foundation

/// Runs a closure on a new thread, and returns when the closure has ended and the thread has released it.
///
/// A process may end as soon as this function has returned. The thread may still retain an object that once had a weak
/// reference. The leak checker would then report a leak, because only encoded bits in the object point to the side
/// table that the runtime allocates for weak references.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    let body = Passed(body)
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body.take()()
            continuation.resume()
        }
    }
}

/// A closure that is passed to the only thread that calls it.
private final class Passed: @unchecked Sendable {  // the thread takes it, and starts after the closure was stored
    private var body: (@Sendable () -> Void)?

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func take() -> @Sendable () -> Void {
        guard let body = body.take() else { preconditionFailure("a closure is passed to one thread") }
        return body
    }
}
