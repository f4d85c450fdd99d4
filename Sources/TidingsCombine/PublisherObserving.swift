#if canImport(Combine) || OpenCombine
    public import Tidings

    extension TypedNotificationCenter {
        /// Returns the notifications of a type as a publisher.
        ///
        /// Each subscriber starts observing when it subscribes, and is called synchronously during each post. See
        /// ``NotificationPublisher``.
        ///
        /// ```swift
        /// center.publisher(for: SubscriptionsChanged.self)
        ///     .map(\.subscribed)
        ///     .sink { subscribed in print(subscribed) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// - Parameters:
        ///   - type: The notification type. It has to be `Sendable`, because the compiler can't see on which threads
        ///     operators use the notifications.
        ///   - sender: The sender to which the publisher is limited, held weakly if it is an object; `nil` for no
        ///     limit.
        ///   - policy: The policy for buffering notifications that arrive while a subscriber is busy or has no demand.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The publisher, which never fails.
        public func publisher<N: NotificationContent & Sendable>(
            for type: N.Type, sender: sending N.Sender? = nil, buffering policy: BufferingPolicy = .unbounded,
            fileID: StaticString = #fileID, line: UInt = #line
        ) -> NotificationPublisher<N> {
            let sender = SenderFilter(sending: sender, of: type)
            let delivery: DeliveryMode = N.Isolation.self == MainActor.self ? .inPostOnMainActor : .inPost
            return NotificationPublisher(
                delivery, from: SourcePlace(fileID: fileID, line: line), buffering: policy
            ) { registration, receive in
                observe(content: type, sender: sender, registration: registration, using: receive).token()
            }
        }
    }
#endif
