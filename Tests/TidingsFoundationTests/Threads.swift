import Foundation

/// Runs a closure on a new thread, and returns when the closure has ended and the thread has released it.
///
/// A test's process may end as soon as this function has returned. If the thread still retained an object that once
/// had a weak reference, the leak checker would report a leak, because it doesn't find the side table that the runtime
/// allocates for weak references: the object only contains an encoded pointer to it.
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
        guard let body = body.take() else { preconditionFailure("the closure was already taken") }
        return body
    }
}
