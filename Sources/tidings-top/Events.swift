import Dispatch
import Foundation
import TidingsInspector

/// What happens while something is shown.
enum Event: Sendable {
    case key(UInt8)
    case resized
    /// The terminal is gone, or the program is asked to end.
    case ended
    case snapshot(InspectorSnapshot)
    case failure(Failure)
}

/// Keys, changes of the terminal's size, and what asks the program to end.
struct EventSources {
    private let signals: [any DispatchSourceSignal]

    init(_ arrival: AsyncStream<Event>.Continuation) {
        // A thread of its own, as reading a key waits for one. It ends with the program.
        Thread.detachNewThread {
            var byte = UInt8(0)
            // One byte of a local variable.
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

    /// Listens to no signal any more.
    func stop() { for signal in signals { signal.cancel() } }
}

/// Asks an inspector once a second, until the task is cancelled.
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
            // Who cancels asks again in another way, and wants no answer to this.
            if Task.isCancelled { return }
            arrival.yield(event)
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
