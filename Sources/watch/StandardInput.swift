import Foundation
import TidingsFoundation

/// What the program itself is given to read.
@MainActor
final class StandardInput: LineSource {
    nonisolated let title = "standard input"
    private var reading: Task<Void, any Error>?
    private var interruption: Int32?

    func run(postingTo center: some TypedNotificationCenter) async throws -> Ending {
        center.addObserver(self, for: Interrupted.self) { me, note in me.interrupt(with: note.signal) }
        let reader = LineReader<OutputLine>(handle: .standardInput, source: self, center: center)
        let reading = Task { try await reader.readToEnd() }
        self.reading = reading
        try await reading.value
        return interruption.map(Ending.signalled) ?? .endOfInput
    }

    private func interrupt(with signal: Int32) {
        interruption = signal
        reading?.cancel()
    }
}
