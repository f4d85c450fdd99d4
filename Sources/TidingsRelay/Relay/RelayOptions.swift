/// How a relay works, beside what it relays and where to.
public struct RelayOptions: Sendable {
    /// What the program is called on the wire: letters, digits, `-` and `_`.
    ///
    /// It is the `source` of events, and names its consumers of streams. So it is the same after a restart. Replicas of one program have
    /// the same one; ``instance`` tells them apart.
    public var name: String

    /// What tells this replica of the program from the others: letters, digits, `-` and `_`; the name of a pod, say. If it is `nil`, it is
    /// another one each time.
    ///
    /// By it a relay knows what it has sent itself, and where ``RelayRoute/Replicas/each``, it names the replica's consumer; so one that is
    /// set is the same after a restart. Two that are connected at the same time and have the same one are a
    /// ``RelayFault/Kind/sameInstance``.
    public var instance: String?

    /// A secret of the program and its replicas, by which nobody else can make the identities of its notifications; `nil` for none.
    ///
    /// A stream drops a second message of one identity, whoever sends it. Without a secret, a program that may post to the stream, and guesses
    /// the identity of the next notification, swallows it. Change the secret while nothing is sent: copies are not known across the change.
    public var identitySecret: String?

    /// What all subjects begin with: letters, digits, `-`, `_`, and dots between parts. Programs that relay to each other have
    /// the same one.
    public var subjectPrefix = "tidings"

    /// How events are written. Both forms are read.
    public var eventMode = RelayEventMode.structured

    /// How many durable notifications may wait to be stored. When there are more, the ``sendBufferPolicy`` says what becomes of those that
    /// are posted, and ``NotificationRelay/publish(_:id:headers:postingLocally:)`` waits.
    public var sendBufferLimit = 100_000

    /// How many bytes of durable notifications may wait to be stored, as they are written, beside ``sendBufferLimit``. One that is larger is let in
    /// when nothing else waits.
    public var sendBufferByteLimit = 64 << 20

    /// What becomes of durable notifications that are posted while the send buffer is full.
    public var sendBufferPolicy = OverflowPolicy.refuseNewest

    /// How many durable notifications may be on the way to the server at a time.
    public var publishingWindow = 4096

    /// For how long a durable notification that was posted is tried again while the server does not allow it: a minute. Then it is lost,
    /// which is a ``RelayFault/Kind/permissionDenied``. Whoever waits for one, with `deliver` or `publish`, is told at once.
    public var permissionTimeout = Duration.seconds(60)

    /// How many transient notifications wait, at most, while there is no connection.
    public var transientLimit = 1024

    /// How many bytes of transient notifications wait, at most, while there is no connection, beside ``transientLimit``.
    public var transientByteLimit = 64 << 20

    /// What becomes of transient notifications that are posted while as many wait.
    public var transientPolicy = OverflowPolicy.refuseNewest

    /// How many bytes may wait for a server that takes them slowly. Transient notifications beyond are a
    /// ``RelayFault/Kind/sendBufferFull``.
    public var backlogLimit = 64 << 20

    /// How many notifications of a consumer may be in progress at a time, taken and not acknowledged.
    public var inProgressLimit = 512

    /// After how long a durable notification that a lost program had is delivered again. While observers run, the relay tells the
    /// server that they do; so they may take longer.
    public var acknowledgementTime = Duration.seconds(5)

    /// How often a durable notification that observers have failed with is delivered again, and after how long. When the last delivery
    /// has failed, too, it becomes a dead letter.
    public var retryPolicy = RetryPolicy.standard

    /// How many durable notifications that are done with each consumer remembers, to know a second copy.
    public var duplicateMemory = 65_536

    /// For how long a stream that the relay makes knows a second copy of what it has.
    public var duplicateWindow = Duration.seconds(120)

    /// After how long without a program a consumer that the relay makes is removed; `nil` if it stays.
    public var consumerLifetime: Duration?

    /// On how many servers of a cluster a stream that the relay makes is stored.
    public var replicas = 1

    /// How far behind routes may be until ``NotificationRelay/health(_:)`` says so; as far as they like, unless you say.
    public var lagLimits = LagLimits()

    /// How often the server is asked how far behind the routes are, while there are ``lagLimits``, or somebody measures or reads it: three
    /// questions for each consumer.
    public var lagInterval = Duration.seconds(10)

    /// How long the relay may take to finish, as a service, once the graceful shutdown has begun.
    public var finishingTime = Duration.seconds(10)

    /// After how long without a connection a relay with an `outbox` lets another program with the same database send, if there is one: five
    /// seconds. Before, it may be back by itself. One that is not run has no connection either.
    public var handOverTime = Duration.seconds(5)

    /// The subject below which answers come. A server may allow a program a prefix of its own.
    public var inboxPrefix = "_INBOX"

    /// The clock of all pauses and limits of time.
    package var clock: any Clock<Duration> = ContinuousClock()

    /// The milliseconds since 1970 by the clock on the wall; the system's if it is `nil`.
    package var wall: (@Sendable () -> Int64)?

    /// The options of a program.
    ///
    /// - Parameter name: What the program is called on the wire.
    public init(name: String) { self.name = name }
}

extension RelayOptions {
    /// The options with every limit in a range in which a relay works.
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
}

extension RelayOptions {
    /// What becomes of notifications that are posted while as many wait to be sent as may.
    ///
    /// Either way one of them is not sent, and that is a ``RelayFault/Kind/sendBufferFull``. Where losing none matters more than going on, call
    /// ``NotificationRelay/publish(_:id:headers:postingLocally:)``, which waits for room.
    @nonexhaustive
    public enum OverflowPolicy: String, Hashable, CaseIterable, Sendable {
        /// The new one is not sent. Those that wait stay as they are.
        case refuseNewest
        /// The oldest one is not sent, and the new one takes its place at the end. If the oldest is on its way already, it may arrive.
        case dropOldest
    }
}
