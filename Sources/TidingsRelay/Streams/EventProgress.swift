/// Which events observers are working on, and which they have finished lately: part of a state machine.
///
/// A stream can have an event twice, and a server gives one out again whose acknowledgement was lost.
struct EventProgress: Sendable {
    enum State {
        case unknown
        case running
        case done
    }

    private enum Progress { case running([UInt64]), done }

    private let memory: Int
    private var progress: [String: Progress] = [:]
    /// What was done last, the oldest at `oldest` once there are as many as are remembered.
    private var done: [String] = []
    private var oldest = 0

    /// - Parameter memory: How many events that are done with are remembered.
    init(memory: Int) { self.memory = memory }

    /// What is known of an event. It is noted that a message of the stream is being worked on that has it, unless it is done with.
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

    /// Ends the work on an event.
    ///
    /// - Parameters:
    ///   - id: Its identity.
    ///   - isDone: Whether it is done with; otherwise it is unknown again.
    /// - Returns: The messages that have it.
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
