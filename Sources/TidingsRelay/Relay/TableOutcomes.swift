extension TableRow.Outcome {
    init(_ result: Result<UInt64, RelayFault>) {
        switch result {
        case .success: self = .sent
        case .failure(let fault): self.init(fault)
        }
    }

    init(_ fault: RelayFault) {
        let words = "\(fault.kind.rawValue): \(fault.detail)"
        self =
            switch fault.kind {
            case .stopped: .interrupted
            case .undecodable: .undecodable(fault.detail)
            case .unknownVersion: .unknownVersion(fault.detail)
            // The row is retried, because the permission may be granted later.
            case .permissionDenied: .failed(words)
            default: .refused(words)
            }
    }
}

final class TableOutcomes: Sendable {
    private struct State {
        var outcomes: [TableRow.Outcome]
        var left: Int
    }

    private let state: Lock<State>
    private let settled = Flag()

    init(_ count: Int) {
        state = Lock(State(outcomes: Array(repeating: .interrupted, count: count), left: count))
        if count == 0 { settled.set() }
    }

    func set(_ index: Int, _ outcome: TableRow.Outcome) {
        let isLast = state.withLock { state in
            state.outcomes[index] = outcome
            state.left -= 1
            return state.left == 0
        }
        if isLast { settled.set() }
    }

    func all() async -> [TableRow.Outcome] {
        await settled.wait()
        return state.withLock { $0.outcomes }
    }
}
