#if canImport(Combine) || OpenCombine
    public import Tidings

    extension TypedNotificationCenter {
        /// The notifications of a type, as a publisher.
        ///
        /// Each subscriber observes from its subscription on, and is called in the post. ``NotificationPublisher`` says the rest.
        ///
        /// ```swift
        /// center.publisher(for: SubscriptionsChanged.self)
        ///     .map(\.subscribed)
        ///     .sink { subscribed in print(subscribed) }
        ///     .store(in: &cancellables)
        /// ```
        ///
        /// - Parameters:
        ///   - type: The notification type.
        ///   - policy: What becomes of notifications that arrive while a subscriber demands none.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The publisher, which never fails.
        public func publisher<N: TypedNotification & Sendable>(
            for type: N.Type, buffering policy: BufferingPolicy = .unbounded,
            fileID: StaticString = #fileID, line: UInt = #line
        ) -> NotificationPublisher<N> {
            publisher(of: type, .everyone, policy, SourcePlace(fileID: fileID, line: line))
        }

        /// The notifications of a type from one sender, as a publisher.
        ///
        /// - Parameters:
        ///   - type: The notification type.
        ///   - sender: The sender to which the publisher is limited, held weakly if it is an object; `nil` for every sender.
        ///   - policy: What becomes of notifications that arrive while a subscriber demands none.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The publisher, which never fails.
        public func publisher<N: TypedNotification & Sendable>(
            for type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy = .unbounded,
            fileID: StaticString = #fileID, line: UInt = #line
        ) -> NotificationPublisher<N> where N.Sender: Sendable {
            publisher(of: type, SenderFilter(sender, of: type), policy, SourcePlace(fileID: fileID, line: line))
        }

        /// The main-actor notifications of a type, as a publisher whose subscribers are called on the main actor.
        ///
        /// - Parameters:
        ///   - type: The notification type, which has to be `Sendable`, as the compiler does not see where operators take it.
        ///   - policy: What becomes of notifications that arrive while a subscriber demands none.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The publisher, which never fails.
        public func publisher<N: MainActorNotification & Sendable>(
            for type: N.Type, buffering policy: BufferingPolicy = .unbounded,
            fileID: StaticString = #fileID, line: UInt = #line
        ) -> NotificationPublisher<N> {
            publisher(of: type, .everyone, policy, SourcePlace(fileID: fileID, line: line))
        }

        /// The main-actor notifications of a type from one sender, as a publisher whose subscribers are called on the main actor.
        ///
        /// - Parameters:
        ///   - type: The notification type, which has to be `Sendable`, as the compiler does not see where operators take it.
        ///   - sender: The sender to which the publisher is limited, held weakly if it is an object; `nil` for every sender.
        ///   - policy: What becomes of notifications that arrive while a subscriber demands none.
        ///   - fileID: The file of the call.
        ///   - line: The line of the call.
        /// - Returns: The publisher, which never fails.
        @MainActor
        public func publisher<N: MainActorNotification & Sendable>(
            for type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy = .unbounded,
            fileID: StaticString = #fileID, line: UInt = #line
        ) -> NotificationPublisher<N> {
            publisher(
                of: type, SenderFilter(sender, ofMainActor: type), policy, SourcePlace(fileID: fileID, line: line))
        }

        private func publisher<N: TypedNotification & Sendable>(
            of type: N.Type, _ sender: SenderFilter<N.Sender>, _ policy: BufferingPolicy, _ place: SourcePlace
        ) -> NotificationPublisher<N> {
            NotificationPublisher(.inPost, from: place, buffering: policy) { registration, receive in
                observe(type, sender: sender, registration: registration, using: receive).token()
            }
        }

        private func publisher<N: MainActorNotification & Sendable>(
            of type: N.Type, _ sender: SenderFilter<N.Sender>, _ policy: BufferingPolicy, _ place: SourcePlace
        ) -> NotificationPublisher<N> {
            NotificationPublisher(.inPostOnMainActor, from: place, buffering: policy) { registration, receive in
                observe(OnMainActor<N>.self, sender: sender, registration: registration) { note in
                    receive(note.notification)
                }
                .token()
            }
        }
    }
#endif
