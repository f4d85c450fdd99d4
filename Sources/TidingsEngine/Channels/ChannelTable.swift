public import Synchronization

/// The channels of a center by notification type, which posts read without a lock: open addressing, in a power of two of
/// slots.
///
/// It changes under the center's lock. Channels are only ever added, as long as the center lives; a table that is too small
/// is replaced by one of twice the size and kept, as a post may be reading it.
@usableFromInline
@safe
package final class ChannelTable: @unchecked Sendable {  // slots are atomic; the count changes under the center's lock
    @usableFromInline
    struct Slot: ~Copyable {
        /// The type's identifier; 0 if the slot is free.
        @usableFromInline let type = Atomic<UInt>(0)
        /// The channel's address, there before the type is.
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

    /// The address of a type's channel; 0 if there is none.
    @inlinable
    func channel(_ type: UInt) -> UInt {
        var index = slot(of: type, mask: mask)
        while true {
            // The index is masked, so it lies in the table.
            let found = unsafe slots[index].type.load(ordering: .acquiring)
            if found == type { return unsafe slots[index].channel.load(ordering: .relaxed) }
            if found == 0 { return 0 }
            index = (index &+ 1) & mask
        }
    }

    var isFull: Bool { (count + 1) * 2 > mask + 1 }

    /// Adds a channel, which the caller keeps alive. The table must not be full.
    func insert(_ channel: UInt, type: UInt) {
        var index = slot(of: type, mask: mask)
        while unsafe slots[index].type.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
        unsafe slots[index].channel.store(channel, ordering: .relaxed)
        unsafe slots[index].type.store(type, ordering: .releasing)
        count += 1
    }

    /// A table of twice the size with the same channels.
    func grown() -> ChannelTable {
        let table = ChannelTable(capacity: (mask + 1) * 2)
        for index in 0...mask {
            let type = unsafe slots[index].type.load(ordering: .relaxed)
            if type != 0 { table.insert(unsafe slots[index].channel.load(ordering: .relaxed), type: type) }
        }
        return table
    }
}
