import Tidings

/// An attempt to connect that can be given up at any time, though the connector takes seconds for each address that does not answer.
final class ConnectionAttempt: Sendable {
    private struct State {
        var result: Result<any Link, RelayFault>?
        var isGivenUp = false
    }

    private let state = Lock(State())
    private let isOver = Flag()

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - connector: Connects to the server.
    ///   - report: Called with what the link tells on its own, on any thread.
    init(_ connector: any LinkConnector, _ report: @escaping @Sendable (LinkEvent) -> Void) {
        // Not a part of the task that asks for the link, so that it need not wait for this one.
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

    /// Returns when there is a link, or when the task is cancelled: then one that is made later is ended at once.
    ///
    /// - Returns: The link; `nil` if there was none yet when the task was cancelled.
    /// - Throws: Why there is none.
    func link() async throws(RelayFault) -> (any Link)? {
        await isOver.wait()
        let result = state.withLock { state in
            state.isGivenUp = state.result == nil
            return state.result
        }
        return try result?.get()
    }
}
