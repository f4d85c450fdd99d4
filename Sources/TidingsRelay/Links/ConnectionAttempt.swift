/// An attempt to connect. The caller can abandon it, because an unresponsive address may take seconds.
final class ConnectionAttempt: Sendable {
    private struct State {
        var result: Result<any Link, RelayFault>?
        var isGivenUp = false
    }

    private let state = Lock(State())
    private let isOver = Flag()

    init(_ connector: any LinkConnector, _ report: @escaping @Sendable (LinkEvent) -> Void) {
        // The task isn't a child task, so the caller doesn't have to wait for it.
        Task {
            do throws(RelayFault) { finish(.success(try await connector.connect(report))) } catch {
                finish(.failure(error))
            }
        }
    }

    private func finish(_ result: Result<any Link, RelayFault>) {
        let isGivenUp = state.withLock { state in
            if !state.isGivenUp { state.result = result }
            return state.isGivenUp
        }
        isOver.set()
        if isGivenUp, case .success(let link) = result { link.close() }
    }

    /// Waits for the link. Returns `nil` if the task is cancelled first. A link that is established later is closed.
    func link() async throws(RelayFault) -> (any Link)? {
        await isOver.wait()
        let result = state.withLock { state in
            state.isGivenUp = state.result == nil
            return state.result
        }
        return try result?.get()
    }
}
