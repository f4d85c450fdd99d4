#if Logging
    public import Logging

    /// Logs the faults and the state changes of the relays of a center.
    ///
    /// ```swift
    /// let log = RelayLog(Logger(label: "org.example.relay"), of: center)
    /// ```
    ///
    /// The object logs until it is released. Each kind of fault or state has a fixed message. The details are in the
    /// metadata, with the keys `tidings.fault`, `tidings.subject`, `tidings.id` and `tidings.detail` for a fault, and
    /// `tidings.relay` and `tidings.state` for a state change.
    public final class RelayLog: Sendable {
        private let tokens: [NotificationToken]

        /// Starts logging.
        ///
        /// - Parameters:
        ///   - logger: The logger.
        ///   - center: The center of the relays.
        ///   - levels: The level for each kind of fault or state change.
        public init(_ logger: Logger, of center: any TypedNotificationCenter, levels: Levels = .init()) {
            tokens = [
                center.addObserver(for: RelayFault.self) { fault in
                    guard let level = levels[fault.kind] else { return }
                    logger.log(level: level, fault.kind.line, metadata: fault.metadata, source: "TidingsRelay")
                },
                center.addObserver(for: RelayStateChanged.self) { change in
                    guard let level = levels.states else { return }
                    let metadata: Logger.Metadata = [
                        "tidings.relay": "\(change.name)", "tidings.state": "\(change.state.rawValue)",
                    ]
                    logger.log(level: level, change.state.line, metadata: metadata, source: "TidingsRelay")
                },
            ]
        }

        /// The level of each kind of log line. Lines of a kind whose level is `nil` aren't logged.
        public struct Levels: Sendable {
            /// The level for state changes of a relay. The default is `info`.
            public var states: Logger.Level? = .info

            /// The level for faults from which the relay recovers, such as a lost connection. The default is `warning`.
            public var troubles: Logger.Level? = .warning

            /// The level for faults that lose a notification, or end its redelivery. The default is `error`.
            public var losses: Logger.Level? = .error

            /// Creates the default levels.
            public init() {}

            subscript(kind: RelayFault.Kind) -> Logger.Level? {
                switch kind {
                case .cannotConnect, .connectionLost, .unobserved, .observerFailed, .rejected, .consumerLost, .skipped,
                    .settingsDiffer, .outboxReleased, .storedAgain:
                    troubles
                case .permissionDenied, .payloadTooLarge, .slowConsumer, .unknownType, .unknownVersion, .undecodable,
                    .unencodable, .invalidName, .invalidConfiguration, .streamFull, .sendBufferFull, .programLost,
                    .sameInstance, .deadLetter, .stopped:
                    losses
                }
            }
        }
    }

    extension RelayFault.Kind {
        fileprivate var line: Logger.Message {
            switch self {
            case .cannotConnect: "cannot connect"
            case .connectionLost: "connection lost"
            case .permissionDenied: "permission denied"
            case .payloadTooLarge: "notification too large"
            case .slowConsumer: "notifications dropped, because they are handled too slowly"
            case .unknownType: "notification of another type"
            case .unknownVersion: "notification of an unknown version"
            case .undecodable: "notification cannot be decoded"
            case .unencodable: "notification cannot be encoded"
            case .invalidName: "name is invalid"
            case .invalidConfiguration: "configuration is invalid"
            case .streamFull: "stream is full"
            case .rejected: "request refused"
            case .sameInstance: "another program has the same name and instance"
            case .consumerLost: "consumer was removed"
            case .skipped: "new consumer skips stored notifications"
            case .settingsDiffer: "setting of a consumer differs"
            case .sendBufferFull: "send buffer is full"
            case .unobserved: "durable notification has no observer"
            case .programLost: "program crashed or was killed while it handled a durable notification"
            case .observerFailed: "observer of a durable notification failed"
            case .deadLetter: "notification moved to the dead letters"
            case .outboxReleased: "another program may send from the outbox"
            case .stopped: "relay ended before a notification was sent"
            case .storedAgain: "notification was lost by its stream, and is stored again"
            }
        }
    }

    extension RelayFault {
        fileprivate var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = ["tidings.fault": "\(kind.rawValue)", "tidings.detail": "\(detail)"]
            metadata["tidings.subject"] = subject.map { "\($0)" }
            metadata["tidings.id"] = id.map { "\($0)" }
            return metadata
        }
    }

    extension RelayStateChanged.State {
        fileprivate var line: Logger.Message {
            switch self {
            case .connected: "relay is connected"
            case .disconnected: "relay is not connected"
            case .finishing: "relay finishes"
            case .ended: "relay has ended"
            }
        }
    }
#endif
