/// The events that observers are handling, and those that they have recently finished: part of a state machine.
///
/// A stream can contain an event twice, and a server redelivers an event whose acknowledgement was lost.
struct EventProgress: Sendable {
    enum State {
        case unknown
        case running
        case done
    }

    private enum Progress { case running([UInt64]), done }

    private let memory: Int
    private var progress: [String: Progress] = [:]
    /// The events that were finished last. Once the limit is reached, the oldest one is at `oldest`.
    private var done: [String] = []
    private var oldest = 0

    /// - Parameter memory: The number of finished events that are remembered.
    init(memory: Int) { self.memory = memory }

    /// Returns the state of an event, and records that a message of the stream with the event is being handled, unless
    /// the event is finished.
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

    /// Ends the handling of an event.
    ///
    /// - Parameters:
    ///   - id: Its identity.
    ///   - isDone: Whether it is finished; otherwise it is unknown again.
    /// - Returns: The messages with the event.
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
