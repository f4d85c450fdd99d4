import Dispatch
import Foundation
import TidingsInspector

enum Event: Sendable {
    case key(UInt8)
    case resized
    /// The terminal was closed, or the program received a signal to end.
    case ended
    case snapshot(InspectorSnapshot)
    case stored(InspectorSnapshot.Stored)
    /// A request about stored notifications failed: if `ofChange` is true, a request to change a notification,
    /// otherwise a request to list them.
    case storedFailure(Failure, ofChange: Bool)
    case failure
}

struct EventSources {
    private let signals: [any DispatchSourceSignal]

    init(_ arrival: AsyncStream<Event>.Continuation) {
        // Reading a key blocks the thread, which ends with the program.
        Thread.detachNewThread {
            var byte = UInt8(0)
            // The pointer to the local variable is valid during the call, which writes at most one byte.
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

    func stop() { for signal in signals { signal.cancel() } }
}

extension InspectorClient {
    func ask(_ ranking: Ranking, _ arrival: AsyncStream<Event>.Continuation) -> Task<Void, Never> {
        repeating(arrival) { (try? await snapshot(ranking)).map(Event.snapshot) ?? .failure }
    }

    func askForStored(_ arrival: AsyncStream<Event>.Continuation) -> Task<Void, Never> {
        repeating(arrival) {
            do throws(Failure) {
                return Event.stored(try await stored())
            } catch {
                return Event.storedFailure(error, ofChange: false)
            }
        }
    }

    private func repeating(
        _ arrival: AsyncStream<Event>.Continuation, _ request: @escaping @Sendable () async -> Event
    ) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                let event = await request()
                // A cancelled request fails even though the connection works, so its result isn't reported.
                if Task.isCancelled { return }
                arrival.yield(event)
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
