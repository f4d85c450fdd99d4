/// The options of a relay, apart from its routes and its server.
public struct RelayOptions: Sendable {
    /// The name of the program on the wire: letters, digits, `-` and `_`.
    ///
    /// The name is the `source` of events, and names the program's consumers of streams, so it must not change.
    /// Replicas of a program have the same name. ``instance`` distinguishes them.
    public var name: String

    /// The name of this replica, such as that of a pod: letters, digits, `-` and `_`. `nil` stands for a unique name.
    ///
    /// A relay recognizes its own notifications by the instance. With ``RelayRoute/Replicas/each``, the name of the
    /// replica's consumer contains the instance. An instance that you set must stay the same after a restart. Two
    /// connected replicas with the same instance are reported as ``RelayFault/Kind/sameInstance``.
    public var instance: String?

    /// The version of the program, such as `1.4.2`. If it is set, the relay responds to NATS service discovery
    /// requests, and `nats micro list`, `info` and `stats` show the program.
    public var version: String?

    /// A secret that the program's replicas share. Programs that don't know the secret can't compute the identities of
    /// this program's notifications.
    ///
    /// A stream drops a second message with the same identity, whoever sends it. Without a secret, a program that may
    /// publish to the stream can suppress a notification by guessing its identity. Change the secret only while nothing
    /// is being sent, because duplicates aren't detected across the change.
    public var identitySecret: String?

    /// The prefix of all subjects: letters, digits, `-`, `_`, and dots between parts. Programs that exchange
    /// notifications must use the same prefix.
    public var subjectPrefix = "tidings"

    /// The format in which events are written. Every relay reads both formats.
    public var eventMode = RelayEventMode.structured

    /// The maximum number of durable notifications that wait to be stored. When that many wait, ``sendBufferPolicy``
    /// applies to posts, and ``NotificationRelay/publish(_:id:headers:postingLocally:)`` waits.
    public var sendBufferLimit = 100_000

    /// The maximum total size, in encoded bytes, of the durable notifications that wait to be stored. It applies in
    /// addition to ``sendBufferLimit``. A single larger notification is accepted only if no other notification waits.
    public var sendBufferByteLimit = 64 << 20

    /// The policy for durable notifications that are posted while the send buffer is full.
    public var sendBufferPolicy = OverflowPolicy.refuseNewest

    /// The maximum number of durable notifications that are sent to the server and not yet confirmed.
    public var publishingWindow = 4096

    /// The time for which a durable notification is retried while the server doesn't permit it. The default is one
    /// minute. After that, the notification is lost, and ``RelayFault/Kind/permissionDenied`` is reported. If a task
    /// waits in `deliver` or `publish`, the notification isn't retried, and the task receives the fault at once.
    public var permissionTimeout = Duration.seconds(60)

    /// The maximum number of transient notifications that wait while there is no connection.
    public var transientLimit = 1024

    /// The maximum total size, in bytes, of waiting transient notifications, in addition to ``transientLimit``.
    public var transientByteLimit = 64 << 20

    /// The policy for transient notifications that are posted when one of the transient limits is reached.
    public var transientPolicy = OverflowPolicy.refuseNewest

    /// The maximum number of bytes that wait for a slow server. A transient notification beyond this limit is lost, and
    /// ``RelayFault/Kind/sendBufferFull`` is reported.
    public var backlogLimit = 64 << 20

    /// The maximum number of a consumer's notifications that are received but not acknowledged.
    public var inProgressLimit = 512

    /// The time after which the server redelivers a durable notification if the program that received it has crashed or
    /// lost its connection. Observers may take longer, because the relay extends this time while they run.
    public var acknowledgementTime = Duration.seconds(5)

    /// The number and the delays of redeliveries of a durable notification after observers have failed. If the last
    /// redelivery also fails, the notification becomes a dead letter.
    public var retryPolicy = RetryPolicy.standard

    /// The number of handled durable notifications that each consumer remembers, to detect duplicates.
    public var duplicateMemory = 65_536

    /// The time within which a stream detects duplicates. It applies to streams that the relay creates.
    public var duplicateWindow = Duration.seconds(120)

    /// The time after which the server removes an unused consumer that the relay created, or `nil` to keep it.
    public var consumerLifetime: Duration?

    /// The number of servers in a cluster that keep a copy of each stream that the relay creates.
    public var replicas = 1

    /// The limits above which ``NotificationRelay/health(_:)`` reports the lag of a route. By default, there are none.
    public var lagLimits = LagLimits()

    /// The interval at which the server is queried for the lag of the routes, with up to three requests per consumer.
    /// Without ``lagLimits``, the server is queried only while the lag is measured or read.
    public var lagInterval = Duration.seconds(10)

    /// The maximum time that the relay, running as a service, takes to finish after a graceful shutdown has begun.
    public var finishingTime = Duration.seconds(10)

    /// The time without a connection after which a relay with an `outbox` releases the table, so that another program
    /// with the same database can send. The default is five seconds. A relay that isn't running counts as not
    /// connected.
    public var handOverTime = Duration.seconds(5)

    /// The subject prefix for responses. The server's permissions may require a separate prefix for each program.
    public var inboxPrefix = "_INBOX"

    package var clock: any Clock<Duration> = ContinuousClock()
    /// The wall clock, which returns milliseconds since 1970. `nil` stands for the system's clock.
    package var wall: (@Sendable () -> Int64)?

    /// Creates the options of a program.
    ///
    /// - Parameter name: The name of the program on the wire.
    public init(name: String) { self.name = name }

    var valid: RelayOptions {
        get throws(RelayFault) {
            try Subjects.checkWord(name, "the name of a program")
            if let instance { try Subjects.checkWord(instance, "the name of an instance") }
            try Subjects.check(inboxPrefix, "the prefix of inboxes")
            var options = self
            options.sendBufferLimit = max(1, sendBufferLimit)
            options.publishingWindow = max(1, publishingWindow)
            options.sendBufferByteLimit = max(1, sendBufferByteLimit)
            options.transientLimit = max(0, transientLimit)
            options.transientByteLimit = max(0, transientByteLimit)
            options.inProgressLimit = max(1, inProgressLimit)
            options.duplicateMemory = max(0, duplicateMemory)
            options.acknowledgementTime = max(.milliseconds(100), acknowledgementTime)
            options.lagInterval = max(.milliseconds(100), lagInterval)
            options.handOverTime = max(.milliseconds(100), handOverTime)
            return options
        }
    }

    /// The policy for notifications that are posted when the limit of waiting notifications is reached.
    ///
    /// A dropped notification is reported as ``RelayFault/Kind/sendBufferFull``. If no notification may be lost, call
    /// ``NotificationRelay/publish(_:id:headers:postingLocally:)``, which waits for room.
    @nonexhaustive
    public enum OverflowPolicy: String, Hashable, CaseIterable, Sendable {
        /// The new notification is dropped.
        case refuseNewest
        /// The oldest notifications are dropped to make room. A dropped notification in flight may still arrive.
        case dropOldest
    }

    /// The maximum lag of an incoming durable route for ``NotificationRelay/health(_:)``. `nil` stands for no limit.
    public struct LagLimits: Hashable, Sendable {
        /// The maximum age of the oldest unhandled notification. Choose a longer time than handling and retries take.
        public var age: Duration?

        /// The maximum number of notifications that haven't been delivered to any program yet.
        public var waiting: Int?

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - age: The maximum age of the oldest stored notification that hasn't been handled.
        ///   - waiting: The maximum number of notifications that haven't been delivered to any program yet.
        public init(age: Duration? = nil, waiting: Int? = nil) {
            self.age = age
            self.waiting = waiting
        }

        var isEmpty: Bool { age == nil && waiting == nil }
    }
}
