import Dispatch
import Foundation
import TidingsInspector

/// An event while something is displayed.
enum Event: Sendable {
    case key(UInt8)
    case resized
    /// The terminal was closed, or the program received a signal to end.
    case ended
    case snapshot(InspectorSnapshot)
    case stored(InspectorSnapshot.Stored)
    case failure(Failure)
}

/// The sources of key presses, changes of the terminal's size, and signals to end.
struct EventSources {
    private let signals: [any DispatchSourceSignal]

    init(_ arrival: AsyncStream<Event>.Continuation) {
        // Reading a key blocks, so it has its own thread, which ends with the program.
        Thread.detachNewThread {
            var byte = UInt8(0)
            // The buffer is one byte, a local variable.
            while unsafe read(STDIN_FILENO, &byte, 1) == 1 { arrival.yield(.key(byte)) }
            arrival.yield(.ended)
        }
        signals = [(SIGWINCH, Event.resized), (SIGTERM, .ended), (SIGHUP, .ended)].map { number, event in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { arrival.yield(event) }
            source.resume()
            return source
        }
    }

    /// Stops observing signals.
    func stop() { for signal in signals { signal.cancel() } }
}

/// Queries an inspector once a second, until the task is cancelled.
func ask(
    _ client: InspectorClient, _ ranking: Ranking, _ arrival: AsyncStream<Event>.Continuation
) -> Task<Void, Never> {
    Task {
        while !Task.isCancelled {
            let event: Event
            do throws(Failure) {
                event = .snapshot(try await client.snapshot(ranking))
            } catch {
                event = .failure(error)
            }
            // A cancelled query is replaced by another one, so its response isn't needed.
            if Task.isCancelled { return }
            arrival.yield(event)
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
