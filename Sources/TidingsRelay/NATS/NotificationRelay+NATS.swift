#if NATS
    public import Tidings
    public import TidingsWire

    extension NotificationRelay {
        /// Makes a relay over a server of NATS.
        ///
        /// Durable routes need a server with JetStream.
        ///
        /// - Parameters:
        ///   - center: The center.
        ///   - server: The server, or the cluster.
        ///   - options: How the relay works.
        ///   - routes: What it carries.
        ///   - outbox: A `NotificationOutbox`, from whose table the relay sends what is stored there, of the types that durable routes send;
        ///     `nil` if there is none.
        /// - Throws: A fault if a name cannot be used, or another relay sends a type from the outbox. That a server cannot be reached is a fault later, and the relay tries again.
        public convenience init(
            _ center: any TypedNotificationCenter, to server: NATSServer, options: RelayOptions, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) {
            try self.init(
                center, connector: NATSConnector(server: server, name: options.name), options: options, routes: routes,
                outbox: outbox)
        }

        /// Makes a relay over a server of NATS, with the usual options.
        ///
        /// - Parameters:
        ///   - center: The center.
        ///   - server: The server, or the cluster.
        ///   - name: What the program is called on the wire, see `RelayOptions.name`.
        ///   - routes: What it carries.
        ///   - outbox: A `NotificationOutbox`, from whose table the relay sends what is stored there, of the types that durable routes send;
        ///     `nil` if there is none.
        /// - Throws: A fault if a name cannot be used, or another relay sends a type from the outbox. That a server cannot be reached is a fault later, and the relay tries again.
        public convenience init(
            _ center: any TypedNotificationCenter, to server: NATSServer, as name: String, routes: [RelayRoute],
            outbox: (any RelaySource)? = nil
        ) throws(RelayFault) {
            try self.init(center, to: server, options: RelayOptions(name: name), routes: routes, outbox: outbox)
        }
    }
#endif
