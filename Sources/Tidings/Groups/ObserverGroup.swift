/// Keeps the observers of a part of a program alive, and ends them without losing notifications.
///
/// A center holds owners weakly, and a token keeps its observer alive. In a server, often nothing holds the owner or
/// the token, so an observer can end unnoticed. Until a group has finished or is released, it holds tokens, the owners
/// of their observers, consumers of buses, tasks that read sequences, and other objects.
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
/// With the trait `ServiceLifecycle`, `ObserverService` of `TidingsServer` turns a group into a service.
public final class ObserverGroup: Sendable {
    /// The name of the group. Descriptions of its observers contain it as ``ObserverDescription/group``.
    @export(implementation) public let name: String

    @export(implementation) let center: (any TypedNotificationCenter)?

    @usableFromInline
    struct Contents {
        @export(implementation) var members: [GroupMember] = []
        @export(implementation) var objects: [any AnyObject & Sendable] = []
        @usableFromInline var hasFinished = false
    }

    @export(implementation) let contents = Lock(Contents())

    /// Creates an empty group.
    ///
    /// - Parameters:
    ///   - name: The name of the group.
    ///   - center: A center that the group also finishes; `nil` if the group only ends its own observations.
    @export(implementation)
    public init(_ name: String, finishing center: (any TypedNotificationCenter)? = nil) {
        self.name = name
        self.center = center
    }

    deinit {
        for member in contents.withLock({ $0.members }) {
            member.abandon()
            ObserverNames.ofGroups.set(nil, of: member.numbers)
        }
    }

    /// Whether the group has begun to finish.
    @export(implementation)
    public var hasFinished: Bool { contents.withLock { $0.hasFinished } }

    /// The number of tokens, consumers and tasks that the group holds.
    @export(implementation)
    public var count: Int { contents.withLock { $0.members.count } }

    /// Adds an observation, together with the owner to which its observer is tied. The owner has to be alive at this
    /// point. ``NotificationToken/store(in:fileID:line:)`` does the same.
    ///
    /// - Parameters:
    ///   - token: The token. If the group has finished, the observation ends.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    @export(implementation)
    public func add(_ token: NotificationToken, fileID: StaticString = #fileID, line: UInt = #line) {
        add(GroupMember(token, from: SourcePlace(fileID: fileID, line: line)))
    }

    /// Keeps an object alive, such as an object that observes but isn't the owner of its observers.
    ///
    /// - Parameter object: The object. A group that has finished doesn't keep it.
    @export(implementation)
    public func keep(_ object: any AnyObject & Sendable) {
        contents.withLock { contents in
            if !contents.hasFinished { contents.objects.append(object) }
        }
    }

    /// Adds a consumer to a bus, and keeps it alive. When the group has finished, the consumer is removed, even if it
    /// was added to the bus earlier. If the group begins to finish during this call, the consumer may be removed at
    /// once, and its queued messages are then discarded.
    ///
    /// - Parameters:
    ///   - consumer: The consumer. A group that has finished doesn't add it.
    ///   - bus: The bus.
    ///   - response: The response to an error that the consumer throws, in addition to the report to monitors.
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
    ///   - body: Handles a notification.
    @export(implementation)
    public func read<Element>(
        _ sequence: NotificationSequence<Element>, fileID: StaticString = #fileID, line: UInt = #line,
        with body: @escaping @Sendable (Element) async -> Void
    ) {
        add(GroupMember(sequence, from: SourcePlace(fileID: fileID, line: line), with: body))
    }

    @export(implementation)
    func add(_ member: GroupMember) {
        ObserverNames.ofGroups.set(name, of: member.numbers)
        let hasFinished = contents.withLock { contents in
            if !contents.hasFinished { contents.members.append(member) }
            return contents.hasFinished
        }
        guard hasFinished else { return }
        member.abandon()
        ObserverNames.ofGroups.set(nil, of: member.numbers)
    }
}

extension NotificationToken {
    /// Adds the token to a group, which then keeps the observer alive, together with the owner to which it is tied.
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
    /// The name of the group, and the number of its members.
    @export(implementation)
    public var description: String {
        let count = count
        return "the group \"\(name)\" with \(count) \(count == 1 ? "member" : "members")"
    }
}
