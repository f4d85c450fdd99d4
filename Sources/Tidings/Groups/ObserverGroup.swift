/// Keeps what a part of a program observes with, and brings it to an end that loses nothing.
///
/// A center holds owners weakly, and the lifetime of an observation is its token. In a server often nothing else holds either, so
/// an observer can end unnoticed. A group holds them: tokens, with the owners that their observers are tied to; consumers of
/// buses; other objects; and tasks that read sequences. It holds them until it has finished, or is released.
///
/// ```swift
/// let group = ObserverGroup("orders", finishing: center)
/// center.addObserver(projection, on: .actor, for: Placed.self) { me, note in try await me.store(note) }.store(in: group)
/// group.add(audit, to: bus)
/// group.read(center.notifications(of: Changed.self)) { note in await stream.send(note) }
/// // and at the end
/// let left = await group.finish(within: .seconds(5))
/// ```
///
/// With the trait `ServiceLifecycle`, `ObserverService` of `TidingsServer` makes a group a service, which finishes when the
/// program shuts down gracefully.
public final class ObserverGroup: Sendable {
    /// The name of the group, for people to read. Descriptions of the observers that it holds have it, as
    /// ``ObserverDescription/group``.
    @export(implementation) public let name: String

    /// The center that finishes with the group.
    @export(implementation) let center: (any TypedNotificationCenter)?

    @usableFromInline
    struct Contents {
        @export(implementation) var members: [GroupMember] = []
        /// Objects that are only kept alive.
        @export(implementation) var objects: [any AnyObject & Sendable] = []
        @usableFromInline var hasFinished = false
    }

    @export(implementation) let contents = Lock(Contents())

    /// Makes a group that holds nothing yet.
    ///
    /// - Parameters:
    ///   - name: The name of the group.
    ///   - center: A center that finishes with the group, as the group's own; `nil` if the group ends its own observations only.
    @export(implementation)
    public init(_ name: String, finishing center: (any TypedNotificationCenter)? = nil) {
        self.name = name
        self.center = center
    }

    deinit {
        for member in contents.withLock({ $0.members }) {
            member.abandon()
            GroupNames.remove(member.numbers)
        }
    }

    /// Whether the group has begun to finish.
    @export(implementation)
    public var hasFinished: Bool { contents.withLock { $0.hasFinished } }

    /// How many tokens, consumers and tasks the group holds.
    @export(implementation)
    public var count: Int { contents.withLock { $0.members.count } }

    // MARK: - Adding

    /// Holds an observation, and the owner that its observer is tied to, which has to be alive still: an owner that is made in
    /// the call which registers the observer is gone when that returns. ``NotificationToken/store(in:fileID:line:)`` does the
    /// same.
    ///
    /// - Parameters:
    ///   - token: The token. In a group that has finished its observation ends.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func add(_ token: NotificationToken, fileID: StaticString = #fileID, line: UInt = #line) {
        add(GroupMember(token, from: SourcePlace(fileID: fileID, line: line)))
    }

    /// Holds an object, such as one that observes without being an owner.
    ///
    /// - Parameter object: The object. A group that has finished does not hold it.
    @export(implementation)
    public func keep(_ object: any AnyObject & Sendable) {
        contents.withLock { contents in
            if !contents.hasFinished { contents.objects.append(object) }
        }
    }

    /// Adds a consumer to a bus, and holds it. When the group has finished, the consumer is removed.
    ///
    /// - Parameters:
    ///   - consumer: The consumer. In a group that has finished it is not added.
    ///   - bus: The bus.
    ///   - response: What follows when the consumer throws an error, beside the report to monitors.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func add<Message, Consumer: MessageConsumer<Message>>(
        _ consumer: Consumer, to bus: MessageBus<Message>, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        if hasFinished { return }
        bus.add(consumer, onFailure: response, fileID: fileID, line: line)
        add(GroupMember(consumer, of: bus))
    }

    /// Reads a sequence in a task that the group holds, one notification after the other, until the sequence ends.
    ///
    /// - Parameters:
    ///   - sequence: The sequence.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - body: What to do with each notification.
    @export(implementation)
    public func read<Element>(
        _ sequence: NotificationSequence<Element>, fileID: StaticString = #fileID, line: UInt = #line,
        with body: @escaping @Sendable (Element) async -> Void
    ) {
        add(GroupMember(sequence, from: SourcePlace(fileID: fileID, line: line), with: body))
    }

    @export(implementation)
    func add(_ member: GroupMember) {
        GroupNames.set(name, of: member.numbers)
        let hasFinished = contents.withLock { contents in
            if !contents.hasFinished { contents.members.append(member) }
            return contents.hasFinished
        }
        guard hasFinished else { return }
        member.abandon()
        GroupNames.remove(member.numbers)
    }
}

extension NotificationToken {
    /// Adds the token to a group, which then holds the lifetime of the observation, and the owner that its observer is tied to.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func store(in group: ObserverGroup, fileID: StaticString = #fileID, line: UInt = #line) {
        group.add(self, fileID: fileID, line: line)
    }
}

extension ObserverGroup: CustomStringConvertible {
    /// The name of the group, and how much it holds.
    @export(implementation)
    public var description: String { "the group \"\(name)\" of \(count) observers" }
}
