import Foundation

/// Runs a closure on a thread of its own, and returns when it has ended and the thread has let go of it.
///
/// A process may end when this has returned. A thread that still held an object then, of which there was a weak reference once,
/// would look like a leak: only hidden bits of the object lead to what the runtime keeps for such references.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    let body = Passed(body)
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body.take()()
            continuation.resume()
        }
    }
}

/// A closure on its way to the only thread that calls it.
private final class Passed: @unchecked Sendable {  // taken by that thread, which is begun after the closure was put in
    private var body: (@Sendable () -> Void)?

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func take() -> @Sendable () -> Void {
        guard let body = body.take() else { preconditionFailure("a closure is passed to one thread") }
        return body
    }
}
