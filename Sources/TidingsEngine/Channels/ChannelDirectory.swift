@usableFromInline
@safe
package struct ChannelDirectory: ~Copyable, @unchecked Sendable {  // properties are atomic or locked
    package struct State: ~Copyable {
        fileprivate var channels: [Channel] = []
        fileprivate var hasFinished = false
        /// The last table is the current one. The others are kept, because posts may be reading them.
        fileprivate var tables = [ChannelTable(capacity: 4)]
    }

    @usableFromInline let table: Atomic<UnsafeRawPointer>
    private let state: Lock<State>

    package init() {
        let state = State()
        unsafe table = unsafe Atomic(UnsafeRawPointer(Unmanaged.passUnretained(state.tables[0]).toOpaque()))
        self.state = Lock(state)
    }

    /// Returns the channel of a notification type. The channel lives as long as the center.
    package func anyChannel(_ key: ObjectIdentifier) -> Unmanaged<Channel>? {
        // Tables live as long as the center. The acquiring load pairs with the store of the table by `makeChannel`.
        let table = unsafe Unmanaged<ChannelTable>.fromOpaque(table.load(ordering: .acquiring))
        let address = unsafe table._withUnsafeGuaranteedRef { $0.channel(UInt(bitPattern: key)) }
        return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
    }

    package func hasChannel(_ key: ObjectIdentifier) -> Bool { unsafe anyChannel(key) != nil }

    @inlinable
    @inline(__always)
    package func channel<Payload, Sender>(_ key: Any.Type) -> Unmanaged<TypedChannel<Payload, Sender>>? {
        // Tables live as long as the center. The acquiring load pairs with the store of the table by `makeChannel`.
        let table = unsafe Unmanaged<ChannelTable>.fromOpaque(table.load(ordering: .acquiring))
        let address = unsafe table._withUnsafeGuaranteedRef { $0.channel(UInt(bitPattern: ObjectIdentifier(key))) }
        // `makeChannel` has stored a channel with these `Payload` and `Sender` types under this key.
        return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
    }

    /// Returns the channel of a type, created if there is none. Both closures are called under the directory's lock.
    package func makeChannel<Payload, Sender>(
        _ key: Any.Type, _ rule: SenderRule<Sender>, hasMainActorSenders: Bool, interests: () -> HostInterests,
        makeHost: () -> any ChannelHost
    ) -> Unmanaged<TypedChannel<Payload, Sender>> {
        unsafe state.withLock { state in
            if let channel = unsafe channel(key) as Unmanaged<TypedChannel<Payload, Sender>>? { return unsafe channel }
            let channel = TypedChannel<Payload, Sender>(
                rule, makeHost(), interests(), hasMainActorSenders: hasMainActorSenders,
                hasFinished: state.hasFinished)
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

    @usableFromInline
    package func all() -> [Channel] { state.withLock { $0.channels } }

    /// Returns all channels. A channel that is created after this call is created as a finished channel.
    @usableFromInline
    package func finish() -> [Channel] {
        state.withLock { state in
            state.hasFinished = true
            return state.channels
        }
    }

    package func close() { for channel in all() { channel.close() } }
}

/// A hash table with open addressing. Posts read it without a lock. It changes under the directory's lock, and no
/// channel is removed while the center lives.
@usableFromInline
@safe
package final class ChannelTable: @unchecked Sendable {  // slots are atomic; the count changes when locked
    @usableFromInline
    struct Slot: ~Copyable {
        /// The type's identifier; 0 if the slot is free.
        @usableFromInline let type = Atomic<UInt>(0)
        /// Stored before the type, so that a post that finds the type also finds the channel.
        @usableFromInline let channel = Atomic<UInt>(0)

        init() {}
    }

    @usableFromInline let mask: Int
    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    private var count = 0

    init(capacity: Int) {
        mask = capacity - 1
        unsafe slots = .allocate(capacity: capacity)
        for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot()) }
    }

    deinit {
        unsafe slots.deinitialize(count: mask + 1)
        unsafe slots.deallocate()
    }

    @inlinable
    func channel(_ type: UInt) -> UInt {
        var index = slot(of: type, mask: mask)
        while true {
            // The index is masked, so it is within the table.
            let found = unsafe slots[index].type.load(ordering: .acquiring)
            if found == type { return unsafe slots[index].channel.load(ordering: .relaxed) }
            if found == 0 { return 0 }
            index = (index &+ 1) & mask
        }
    }

    var isFull: Bool { (count + 1) * 2 > mask + 1 }

    /// Inserts a channel, which the caller keeps alive. The table mustn't be full.
    func insert(_ channel: UInt, type: UInt) {
        var index = slot(of: type, mask: mask)
        while unsafe slots[index].type.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
        unsafe slots[index].channel.store(channel, ordering: .relaxed)
        unsafe slots[index].type.store(type, ordering: .releasing)
        count += 1
    }

    func grown() -> ChannelTable {
        let table = ChannelTable(capacity: (mask + 1) * 2)
        for index in 0...mask {
            let type = unsafe slots[index].type.load(ordering: .relaxed)
            if type != 0 { table.insert(unsafe slots[index].channel.load(ordering: .relaxed), type: type) }
        }
        return table
    }
}

/// Fibonacci hashing: multiplies the word by 2^64 divided by the golden ratio, and uses the upper half of the product.
/// This half is well mixed even for addresses, whose low bits are always zero. `mask` is a power of two, minus 1.
@inlinable
@inline(__always)
func slot(of word: UInt, mask: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: word) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
}
