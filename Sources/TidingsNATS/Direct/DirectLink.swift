#if NATS
    import Synchronization
    import TidingsRelay

    /// A connection that is not encrypted, on which the protocol of NATS is spoken here.
    ///
    /// The C client needs twice the time for a message: it allocates each several times, reads headers into a table, passes each
    /// message on alone, and frees it on a third thread. What it does for encryption is not done here; ``NATSLink`` does it.
    final class DirectLink: Link {
        private let loop: SocketLoop
        private let pendingLimit: Int

        /// - Parameters:
        ///   - accepted: What the server has accepted.
        ///   - pendingLimit: How many messages of a subscription wait at most.
        ///   - pingInterval: How often the server is asked whether it is there. One that leaves three questions without an answer is
        ///     lost.
        ///   - report: Called with what goes wrong.
        /// - Throws: A fault if the process has no file or no thread left.
        init(
            _ accepted: Handshake.Accepted, pendingLimit: Int, pingInterval: Duration = .seconds(5),
            _ report: @escaping @Sendable (LinkEvent) -> Void
        ) throws(RelayFault) {
            let made = SocketLoop(
                accepted.socket, maximumPayload: accepted.server.maximumPayload, pingInterval: pingInterval, report)
            guard let loop = made else { throw RelayFault(.cannotConnect, "the process has no file left") }
            guard loop.start(accepted.input) else { throw RelayFault(.cannotConnect, "the process has no thread left") }
            self.loop = loop
            self.pendingLimit = pendingLimit
        }

        deinit { loop.stop() }

        var maximumPayload: Int { loop.maximumPayload.load(ordering: .relaxed) }

        var backlog: Int { loop.outgoing.backlog }

        func publish(_ message: RelayMessage) -> PublishingOutcome {
            // The server ends the connection for it.
            if message.size > maximumPayload { return .tooLarge }
            let outcome = loop.outgoing.publish(message)
            if outcome == .accepted { loop.wake() }
            return outcome
        }

        func flush() async -> Bool {
            await withCheckedContinuation { continuation in
                loop.outgoing.ping(continuation)
                loop.wake()
            }
        }

        func close() { loop.stop() }

        func waitForEnd() async { await loop.waitForEnd() }

        func subscribe(
            _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
        ) throws(RelayFault) -> any AnyObject & Sendable {
            let number = loop.add(Receiver(subject, limit: pendingLimit, receive: receive))
            switch loop.outgoing.write({ $0.subscribe(subject, group: group, number: number) }) {
            case true?:
                loop.wake()
                return Subscription(number: number, loop: loop)
            case false?:
                loop.remove(number)
                throw RelayFault(.invalidName, subject: subject, "this cannot be subscribed to")
            case nil:
                loop.remove(number)
                throw RelayFault(.connectionLost, subject: subject, "cannot subscribe: the connection has ended")
            }
        }

        /// A subscription, which ends when this is released.
        private final class Subscription: Sendable {
            private let number: Int
            private let loop: SocketLoop

            init(number: Int, loop: SocketLoop) {
                self.number = number
                self.loop = loop
            }

            deinit {
                loop.remove(number)
                loop.outgoing.write { $0.unsubscribe(number) }
                loop.wake()
            }
        }
    }
#endif
