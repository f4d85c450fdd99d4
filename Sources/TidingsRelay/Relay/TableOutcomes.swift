extension TableRow.Outcome {
    init(_ fault: RelayFault) {
        let words = "\(fault.kind.rawValue): \(fault.detail)"
        self =
            switch fault.kind {
            case .stopped: .interrupted
            case .undecodable: .undecodable(fault.detail)
            case .unknownVersion: .unknownVersion(fault.detail)
            // The permission may be granted later.
            case .permissionDenied: .failed(words)
            default: .refused(words)
            }
    }
}

final class TableOutcomes: Sendable {
    private let state: Lock<(outcomes: [TableRow.Outcome], left: Int)>
    private let settled = Flag()

    init(_ count: Int) {
        state = Lock((Array(repeating: .interrupted, count: count), count))
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
