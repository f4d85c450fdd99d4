#if NATS
    import Dispatch
    import Synchronization
    import Tidings
    import TidingsRelay

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// The thread of a connection: it writes what waits, reads what comes, and hands each message to its receiver.
    final class SocketLoop: Sendable {
        /// How many questions whether it is there the server may leave without an answer.
        private static let patience = 2

        let outgoing = OutgoingQueue()
        /// The largest message that the server takes. It may tell of another one later.
        let maximumPayload: Atomic<Int>
        private let socket: Socket
        /// How often the server is asked whether it is there.
        private let pingInterval: Duration
        private let wakeUp: WakeUpPipe
        private let receivers = Lock<(last: Int, all: [Int: Receiver])>((0, [:]))
        private let report: @Sendable (LinkEvent) -> Void
        /// What is reported runs here: observers of faults do not hold up the connection.
        private let reports = DispatchQueue(label: "tidings.nats reports")
        private let ended = Switch()

        /// Makes the thread of a connection, which does not run yet; `nil` if the process has no file left.
        ///
        /// - Parameters:
        ///   - socket: The connection, on which the server has accepted the program.
        ///   - maximumPayload: The largest message that the server takes.
        ///   - pingInterval: How often it is asked whether it is there.
        ///   - report: Called with what goes wrong.
        init?(
            _ socket: Socket, maximumPayload: Int, pingInterval: Duration,
            _ report: @escaping @Sendable (LinkEvent) -> Void
        ) {
            guard let wakeUp = WakeUpPipe() else { return nil }
            self.socket = socket
            self.pingInterval = pingInterval
            self.wakeUp = wakeUp
            self.maximumPayload = Atomic(maximumPayload)
            self.report = report
        }

        /// Begins.
        ///
        /// - Parameter input: What has come already.
        /// - Returns: Whether there could be a thread.
        func start(_ input: InputBuffer) -> Bool { startThread { self.run(input) } }

        func stop() {
            outgoing.end()
            wakeUp.interrupt()
        }

        func waitForEnd() async { await ended.wait() }

        /// Has what was added to the queue written.
        func wake() { wakeUp.wake() }

        // MARK: Subscriptions

        func add(_ receiver: Receiver) -> Int {
            receivers.withLock { receivers in
                receivers.last += 1
                receivers.all[receivers.last] = receiver
                return receivers.last
            }
        }

        func remove(_ number: Int) {
            let receiver = receivers.withLock { $0.all.removeValue(forKey: number) }
            receiver?.end()
        }

        // MARK: The thread

        private func run(_ input: InputBuffer) {
            var (input, output) = (input, Output())
            var nextPing = ContinuousClock.now + pingInterval
            var unanswered = 0
            do throws(Lost) {
                try read(&input, &unanswered)
                while !outgoing.isOver {
                    let isIdle = output.isBlocked ? true : try !write(&output)
                    let now = ContinuousClock.now
                    if now >= nextPing {
                        if unanswered == Self.patience { throw Lost(reason: "the server does not answer") }
                        unanswered += 1
                        nextPing = now + pingInterval
                        outgoing.ping(nil)
                        continue
                    }
                    let found = wait(output, isIdle, until: nextPing - now)
                    if found & POLLOUT != 0 { output.isBlocked = false }
                    if found & ~POLLOUT != 0 { try fillAndRead(&input, &unanswered) }
                }
            } catch {
                // Unless it was ended on purpose.
                if !outgoing.isOver, let reason = error.reason { tell(.problem(reason)) }
            }
            outgoing.end()
            // Released after the lock.
            let left = receivers.withLock { receivers in
                defer { receivers.all = [:] }
                return receivers.all
            }
            // What they have not begun to deliver would come among what comes over the next connection.
            for receiver in left.values { receiver.end() }
            // After what was told before.
            reports.async { self.ended.turnOn() }
        }

        /// Waits until there is something to do.
        private func wait(_ output: Output, _ isIdle: Bool, until limit: Duration) -> Int32 {
            let milliseconds = Int32(limit / .milliseconds(1)) + 1
            if output.isBlocked {
                // Nobody has to wake the thread: there is nothing that it could do with what is added.
                return wakeUp.wait(for: socket.descriptor, Int16(POLLIN | POLLOUT), atMost: milliseconds)
            }
            if !isIdle { return wakeUp.wait(for: socket.descriptor, Int16(POLLIN), atMost: outgoing.isBurst ? 1 : 0) }
            wakeUp.fallAsleep()
            // Who came before that has not woken the thread.
            let hasTime = outgoing.isEmpty && !outgoing.isOver
            return wakeUp.wait(for: socket.descriptor, Int16(POLLIN), atMost: hasTime ? milliseconds : 0)
        }

        /// What was taken from the queue, and how much of it is written.
        private struct Output {
            var text = ClientText()
            var position = 0
            /// Whether the connection takes nothing at the moment.
            var isBlocked = false
        }

        /// Why the connection is of no use any more; without words if it has just ended.
        private struct Lost: Error {
            let reason: String?
        }

        /// Writes what waits.
        ///
        /// - Returns: Whether there was anything.
        private func write(_ output: inout Output) throws(Lost) -> Bool {
            if output.position == output.text.bytes.count {
                output.text.clear()
                output.position = 0
                outgoing.take(&output.text)
                if output.text.isEmpty { return false }
            }
            switch socket.send(output.text.bytes, from: output.position) {
            case .moved(let count):
                output.position += count
                outgoing.noteWritten(count)
            case .blocked: output.isBlocked = true
            case .ended: throw Lost(reason: nil)
            }
            return true
        }

        private func fillAndRead(_ input: inout InputBuffer, _ unanswered: inout Int) throws(Lost) {
            switch input.fill(from: socket) {
            case .moved: try read(&input, &unanswered)
            case .blocked: return
            case .ended: throw Lost(reason: nil)
            }
        }

        /// Reads what has come.
        private func read(_ input: inout InputBuffer, _ unanswered: inout Int) throws(Lost) {
            // Messages of the same subscription, one behind the other, go to their receiver together.
            var (messages, first) = ([ServerMessage](), 0)
            do throws(OperationReader.Malformed) {
                while let (operation, start) = try input.next() {
                    if case .message(let message) = operation {
                        if let other = messages.first, other.subscription != message.subscription {
                            hand(&messages, first..<start, input)
                        }
                        if messages.isEmpty { first = start }
                        messages.append(message)
                        continue
                    }
                    hand(&messages, first..<start, input)
                    switch operation {
                    case .ping:
                        outgoing.write { $0.pong() }
                    case .pong:
                        unanswered = 0
                        outgoing.notePong()
                    case .refusal(let text): tell(LinkEvent(refusal: text))
                    case .information(let place):
                        if let new = ServerInformation(input.bytes[place]) {
                            maximumPayload.store(new.maximumPayload, ordering: .relaxed)
                        }
                    case .accepted, .message: break
                    }
                }
            } catch {
                hand(&messages, first..<input.position, input)
                throw Lost(reason: "the server sent \(error)")
            }
            hand(&messages, first..<input.position, input)
        }

        /// Hands messages over, and forgets them.
        private func hand(_ messages: inout [ServerMessage], _ range: Range<Int>, _ input: InputBuffer) {
            guard let number = messages.first?.subscription else { return }
            // One that has just ended has none.
            if let receiver = receivers.withLock({ $0.all[number] }),
                let dropped = receiver.take(messages, range, of: input.bytes)
            {
                tell(.slowConsumer(subject: receiver.subject, dropped: dropped))
            }
            messages.removeAll(keepingCapacity: true)
        }

        private func tell(_ event: LinkEvent) { reports.async { self.report(event) } }
    }
#endif
