import TidingsConformance

/// Runs a closure that may block on its own thread, so that no task loses its thread.
package func onOwnThread(_ body: @escaping @Sendable () -> Void) async { await onThread(body) }
