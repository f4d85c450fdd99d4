public import Synchronization

/// The channels of one center, found by the type of what is posted.
@usableFromInline
@safe
package struct ChannelDirectory: ~Copyable, @unchecked Sendable {  // tables are atomic or locked
    package struct State {
        fileprivate var channels: [Channel] = []
        /// The table in use is the last one; the others are kept for posts that may be reading them.
        fileprivate var tables = [ChannelTable(capacity: 4)]
    }

    /// The address of the table in use.
    @usableFromInline let table: Atomic<UnsafeRawPointer>
    private let state: Lock<State>

    package init() {
        let state = State()
        unsafe table = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(state.tables[0]).toOpaque()))
        self.state = Lock(state)
    }

    /// The channel of a type, if anybody ever observed it. It lives as long as the center.
    ///
    /// - Parameter key: The type under which the channel was made, with this payload and this sender.
    @inlinable
    @inline(__always)
    package func channel<Payload, Sender>(_ key: Any.Type) -> Unmanaged<TypedChannel<Payload, Sender>>? {
        // Every table lives as long as the center. The acquire pairs with the store of the table by `makeChannel`.
        let table = unsafe Unmanaged<ChannelTable>.fromOpaque(table.load(ordering: .acquiring))
        let address = unsafe table._withUnsafeGuaranteedRef { $0.channel(UInt(bitPattern: ObjectIdentifier(key))) }
        // A channel is entered under its own type.
        return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
    }

    /// The channel of a type, made if there is none.
    ///
    /// - Parameters:
    ///   - key: The type.
    ///   - rule: How its senders are told apart.
    ///   - hasMainActorSenders: Whether only the main actor may look at its senders.
    ///   - isMonitored: Whether the host is told what happens, asked with no other channel being made.
    ///   - makeHost: Makes the host.
    package func makeChannel<Payload, Sender>(
        _ key: Any.Type, _ rule: SenderRule<Sender>, hasMainActorSenders: Bool, isMonitored: () -> Bool,
        makeHost: () -> any ChannelHost
    ) -> Unmanaged<TypedChannel<Payload, Sender>> {
        unsafe state.withLock { state in
            if let channel = unsafe channel(key) as Unmanaged<TypedChannel<Payload, Sender>>? { return unsafe channel }
            let channel = TypedChannel<Payload, Sender>(
                rule, makeHost(), isMonitored: isMonitored(), hasMainActorSenders: hasMainActorSenders)
            state.channels.append(channel)
            var last = state.tables[state.tables.count - 1]
            if last.isFull {
                last = last.grown()
                state.tables.append(last)
                unsafe table.store(Unmanaged.passUnretained(last).toOpaque(), ordering: .releasing)
            }
            last.insert(channel.name, type: UInt(bitPattern: ObjectIdentifier(key)))
            return unsafe Unmanaged.passUnretained(channel)
        }
    }

    /// The channels of all types.
    package func all() -> [Channel] { state.withLock { $0.channels } }

    /// Ends every entry, as the center is gone.
    package func close() { for channel in all() { channel.close() } }
}
