import TidingsConformance

/// Runs a closure on a thread of its own, because the closure may block.
package func onOwnThread(_ body: @escaping @Sendable () -> Void) async { await onThread(body) }
