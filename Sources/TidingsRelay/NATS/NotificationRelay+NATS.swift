#if NATS
    extension NotificationRelay {
        /// Creates a relay over a NATS server.
        ///
        /// Durable routes require a server with JetStream.
        ///
        /// - Parameters:
        ///   - center: The center.
        ///   - server: The server or cluster.
        ///   - options: The options.
        ///   - routes: The routes.
        ///   - outbox: The `NotificationOutbox` from which the relay sends the stored notifications of types with
        ///     outgoing durable routes, or `nil` for none.
        /// - Throws: A fault if a name is invalid, or if another relay sends a type from the outbox. If the server
        ///   can't be reached, a fault is posted later, and the relay retries.
        public convenience init(
            _ center: any TypedNotificationCenter, to server: NATSServer, options: RelayOptions, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) {
            try self.init(
                center, connector: NATSConnector(server: server, name: options.name), options: options, routes: routes,
                outbox: outbox)
        }

        /// Creates a relay over a NATS server, with the default options.
        ///
        /// - Parameters:
        ///   - center: The center.
        ///   - server: The server or cluster.
        ///   - name: The name of the program on the wire: see `RelayOptions.name`.
        ///   - routes: The routes.
        ///   - outbox: The `NotificationOutbox` from which the relay sends the stored notifications of types with
        ///     outgoing durable routes, or `nil` for none.
        /// - Throws: A fault if a name is invalid, or if another relay sends a type from the outbox. If the server
        ///   can't be reached, a fault is posted later, and the relay retries.
        public convenience init(
            _ center: any TypedNotificationCenter, to server: NATSServer, as name: String, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) {
            try self.init(center, to: server, options: RelayOptions(name: name), routes: routes, outbox: outbox)
        }
    }
#endif
