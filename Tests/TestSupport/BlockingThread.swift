import Dispatch

/// Runs something that may block on a thread of its own, so that no task loses its thread.
package func onOwnThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "own thread").async {
            body()
            continuation.resume()
        }
    }
}
