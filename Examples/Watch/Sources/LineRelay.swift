#if NATS
    import Foundation
    import TidingsFoundation
    import TidingsRelay

    /// Relays lines to other processes through a stream, or receives lines from it.
    final class LineRelay: Sendable {
        private let center = NativeNotificationCenter()
        private let relay: NotificationRelay
        private let address: String
        private let faults = FaultLog()
        private let tokens: [NotificationToken]
        private let running: Task<Void, Never>

        /// `direction` determines whether the relay sends or receives lines. `print` is called with each line that
        /// arrives. Throws a fault if the address is invalid.
        init(
            _ direction: RelayRoute.Direction, _ address: String,
            print: @escaping @Sendable (RelayedLine) -> Void = { _ in }
        ) throws(RelayFault) {
            // The name is unique, so that each of two listeners receives every line.
            var options = RelayOptions(name: "watch-\(UUID())")
            options.consumerLifetime = .seconds(300)
            let relay = try NotificationRelay(
                center, to: NATSServer(address), options: options,
                routes: [.durable(RelayedLine.self, direction, stream: "WATCH", from: .new)])
            self.relay = relay
            self.address = address
            tokens = [
                center.addObserver(for: RelayFault.self) { [faults] in faults.tell($0) },
                center.addObserver(for: RelayedLine.self) { line in if direction == .incoming { print(line) } },
            ]
            running = Task { await relay.run() }
        }

        /// Relays a line. If an observer calls this method while `deliver` waits for the observer, `deliver` returns
        /// after the stream has stored the line.
        func send<Note: LineNotification>(_ note: Note) { center.post(RelayedLine(note)) }

        /// Returns when the relay is connected, so that it receives lines that are relayed afterwards.
        func waitUntilReady() async { await relay.waitUntilReady() }

        /// Waits until all lines that the stream has now are printed, or until a time limit passes.
        func catchUp() async { await relay.catchUp() }

        /// Waits until everything is relayed or a time limit passes, and then reports how many lines were lost.
        func finish() async {
            await relay.finish()
            await running.value
            if faults.lost > 0 { Terminal.tell("\(faults.lost) lines were not relayed to \(address)") }
        }
    }

    /// Reports faults. Successive faults of the same kind are reported once, because each line can cause one.
    private final class FaultLog: Sendable {
        private let state = Lock<(last: String?, lost: Int)>((nil, 0))

        var lost: Int { state.withLock { $0.lost } }

        func tell(_ fault: RelayFault) {
            let isNew = state.withLock { state in
                if [.stopped, .streamFull, .sendBufferFull, .payloadTooLarge].contains(fault.kind) { state.lost += 1 }
                defer { state.last = fault.kind.rawValue }
                return state.last != fault.kind.rawValue && fault.kind != .stopped
            }
            if isNew { Terminal.tell("\(fault)") }
        }
    }

    /// Prints the lines that others relay, until a signal interrupts the program.
    @MainActor
    final class Listening {
        private let center = NativeNotificationCenter()
        private let interrupts: Interrupts
        private let address: String
        private let (signals, signalled) = AsyncStream.makeStream(of: Int32.self)

        init(_ address: String) {
            self.address = address
            interrupts = Interrupts(postingTo: center)
        }

        /// Listens, and returns the exit status.
        func run() async throws -> Int32 {
            center.addObserver(self, for: Interrupted.self) { me, note in me.signalled.yield(note.signal) }
            let relay = try LineRelay(.incoming, address) { Terminal.pass(on: $0.line, from: $0.stream) }
            let ready = Task {
                await relay.waitUntilReady()
                if !Task.isCancelled { Terminal.tell("listening") }
            }
            var iterator = signals.makeAsyncIterator()
            _ = await iterator.next(isolation: #isolation)
            ready.cancel()
            await relay.catchUp()
            await relay.finish()
            return 0
        }
    }
#endif
