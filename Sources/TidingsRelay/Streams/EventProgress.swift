/// Recognizes repeated events. An event arrives again if a stream contains it twice or its acknowledgement was lost.
struct EventProgress: Sendable {
    enum State {
        case unknown
        case running
        case done
    }

    private enum Progress { case running([UInt64]), done }

    private let memory: Int
    private var progress: [String: Progress] = [:]
    /// A ring buffer of handled events. When it is full, the oldest event is at index `oldest`.
    private var done: [String] = []
    private var oldest = 0

    init(memory: Int) { self.memory = memory }

    mutating func begin(_ id: String, _ sequence: UInt64) -> State {
        switch progress[id] {
        case nil:
            progress[id] = .running([sequence])
            return .unknown
        case .running(let sequences):
            progress[id] = .running(sequences + [sequence])
            return .running
        case .done: return .done
        }
    }

    mutating func end(_ id: String, isDone: Bool) -> [UInt64] {
        guard case .running(let sequences) = progress[id] else { return [] }
        progress[id] = nil
        if isDone, memory > 0 { remember(id) }
        return sequences
    }

    private mutating func remember(_ id: String) {
        progress[id] = .done
        if done.count < memory {
            done.append(id)
        } else {
            progress[done[oldest]] = nil
            done[oldest] = id
            oldest = (oldest + 1) % memory
        }
    }
}
