import Foundation

/// Runs a closure on a new thread, and returns when the closure has ended and the thread has released it.
///
/// A test's process may end as soon as this function has returned. If the thread still retained an object that once had
/// a weak reference, the leak checker would report a leak: the object refers to its reference counts with an encoded
/// pointer, which the leak checker doesn't follow.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    let body = Passed(body)
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body.take()()
            continuation.resume()
        }
    }
}

private final class Passed: @unchecked Sendable {  // Only the new thread, which starts after `init`, uses `body`.
    private var body: (@Sendable () -> Void)?

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func take() -> @Sendable () -> Void {
        guard let body = body.take() else { preconditionFailure("the closure was already taken") }
        return body
    }
}
