#if Configuration
    public import Configuration

    extension RelayOptions {
        /// Creates options from a configuration. Options without a value have their defaults.
        ///
        /// ```swift
        /// let config = ConfigReader(provider: EnvironmentVariablesProvider())
        /// let options = try RelayOptions(config: config.scoped(to: "relay"))      // RELAY_NAME, RELAY_SEND_BUFFER_LIMIT, …
        /// ```
        ///
        /// The keys are the names of the properties:
        ///
        /// - `name`: a string, which is required;
        /// - `instance`, `version`, `identitySecret`, `subjectPrefix` and `inboxPrefix`: strings;
        /// - `eventMode`: `structured` or `binary`;
        /// - `sendBufferPolicy` and `transientPolicy`: `refuseNewest` or `dropOldest`;
        /// - `sendBufferLimit`, `sendBufferByteLimit`, `publishingWindow`, `transientLimit`, `transientByteLimit`,
        ///   `backlogLimit`, `inProgressLimit`, `duplicateMemory` and `replicas`: integers;
        /// - `acknowledgementTime`, `duplicateWindow`, `consumerLifetime`, `permissionTimeout`, `finishingTime`,
        ///   `handOverTime` and `lagInterval`: numbers of seconds;
        /// - `lagLimits.age`, a number of seconds, and `lagLimits.waiting`, an integer;
        /// - `retryPolicy`: a list of numbers of seconds.
        ///
        /// - Parameter config: The configuration.
        /// - Throws: A ``RelayFault/Kind/invalidConfiguration`` with the missing or invalid key and the expected value.
        public init(config: ConfigReader) throws(RelayFault) {
            let values = ConfigurationReading(config)
            guard let name = try values.string("name") else {
                throw values.missing("name", "the name of the program on the wire")
            }
            self.init(name: name)
            instance = try values.string("instance") ?? instance
            version = try values.string("version") ?? version
            identitySecret = try values.string("identitySecret", isSecret: true) ?? identitySecret
            subjectPrefix = try values.string("subjectPrefix") ?? subjectPrefix
            inboxPrefix = try values.string("inboxPrefix") ?? inboxPrefix
            eventMode = try values.choice("eventMode", of: RelayEventMode.self) ?? eventMode
            sendBufferPolicy =
                try values.choice("sendBufferPolicy", of: RelayOptions.OverflowPolicy.self) ?? sendBufferPolicy
            transientPolicy =
                try values.choice("transientPolicy", of: RelayOptions.OverflowPolicy.self) ?? transientPolicy
            sendBufferLimit = try values.count("sendBufferLimit", atLeast: 1) ?? sendBufferLimit
            sendBufferByteLimit = try values.count("sendBufferByteLimit", atLeast: 1) ?? sendBufferByteLimit
            transientByteLimit = try values.count("transientByteLimit", atLeast: 0) ?? transientByteLimit
            publishingWindow = try values.count("publishingWindow", atLeast: 1) ?? publishingWindow
            transientLimit = try values.count("transientLimit", atLeast: 0) ?? transientLimit
            backlogLimit = try values.count("backlogLimit", atLeast: 0) ?? backlogLimit
            inProgressLimit = try values.count("inProgressLimit", atLeast: 1) ?? inProgressLimit
            duplicateMemory = try values.count("duplicateMemory", atLeast: 0) ?? duplicateMemory
            replicas = try values.count("replicas", atLeast: 1) ?? replicas
            acknowledgementTime = try values.seconds("acknowledgementTime") ?? acknowledgementTime
            duplicateWindow = try values.seconds("duplicateWindow") ?? duplicateWindow
            consumerLifetime = try values.seconds("consumerLifetime") ?? consumerLifetime
            permissionTimeout = try values.seconds("permissionTimeout") ?? permissionTimeout
            finishingTime = try values.seconds("finishingTime") ?? finishingTime
            handOverTime = try values.seconds("handOverTime") ?? handOverTime
            lagInterval = try values.seconds("lagInterval") ?? lagInterval
            let limits = values.part("lagLimits")
            lagLimits.age = try limits.seconds("age")
            lagLimits.waiting = try limits.count("waiting", atLeast: 0)
            retryPolicy = try values.listOfSeconds("retryPolicy").map(RetryPolicy.init(_:)) ?? retryPolicy
        }
    }
#endif
