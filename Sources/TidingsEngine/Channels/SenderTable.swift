/// An index of rosters by sender: a hash table with open addressing. Posts read it without a lock, and it changes under
/// its channel's lock. A full table is replaced, and freed when no post can see it.
@usableFromInline
@safe
package final class SenderTable: @unchecked Sendable {  // slots are atomic; the counts change under the channel's lock
    private struct Slot: ~Copyable {
        /// The sender's tag; 0 if the slot was never used.
        let tag = Atomic<UInt>(0)
        /// The address of the roster, retained; 0 if it was removed.
        let roster = Atomic<UInt>(0)
    }

    private let mask: Int
    private let slots: UnsafeMutablePointer<Slot>
    private var used = 0
    private(set) var count = 0

    init(capacity: Int) {
        mask = capacity - 1
        unsafe slots = .allocate(capacity: capacity)
        for index in 0..<capacity { unsafe (slots + index).initialize(to: Slot()) }
    }

    deinit {
        for index in 0...mask { if let roster = unsafe roster(at: index) { unsafe roster.release() } }
        unsafe slots.deinitialize(count: mask + 1)
        unsafe slots.deallocate()
    }

    var isFull: Bool { (used + 1) * 4 > (mask + 1) * 3 }

    /// The table that every channel begins with. It has no rosters and is always full.
    static let empty = SenderTable(capacity: 1)

    /// Returns a roster with the tag. It is valid while a lane is claimed or the channel's lock is held. It isn't
    /// retained, because every post from the sender would write to the reference count.
    @inline(__always)
    func first(_ tag: UInt, where isMeant: (Roster) -> Bool) -> Unmanaged<Roster>? {
        var index = slot(of: tag, mask: mask)
        while true {
            // The index is masked, so it is within the table. The acquiring load pairs with the store of the tag by
            // `insert`, which comes after the store of the roster.
            let found = unsafe slots[index].tag.load(ordering: .acquiring)
            if found == 0 { return nil }
            if found == tag, let roster = unsafe roster(at: index),
                unsafe roster._withUnsafeGuaranteedRef({ isMeant($0) })
            {
                return unsafe roster
            }
            index = (index &+ 1) & mask
        }
    }

    /// Called under the channel's lock.
    func rosters() -> [Roster] {
        (0...mask).compactMap { unsafe roster(at: $0).map { unsafe $0.takeUnretainedValue() } }
    }

    private func roster(at index: Int) -> Unmanaged<Roster>? {
        let address = unsafe slots[index].roster.load(ordering: .sequentiallyConsistent)
        return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
    }

    /// Inserts a roster, and retains it. The table mustn't be full.
    func insert(_ roster: Roster, tag: UInt) {
        let address = unsafe UInt(bitPattern: Unmanaged.passRetained(roster).toOpaque())
        count += 1
        var index = slot(of: tag, mask: mask)
        while true {
            let found = unsafe slots[index].tag.load(ordering: .relaxed)
            // A free slot that held the same tag is reused, so that recycled addresses don't fill the table.
            if found == 0 || found == tag, unsafe slots[index].roster.load(ordering: .relaxed) == 0 {
                if found == 0 { used += 1 }
                unsafe slots[index].roster.store(address, ordering: .sequentiallyConsistent)
                unsafe slots[index].tag.store(tag, ordering: .sequentiallyConsistent)
                return
            }
            index = (index + 1) & mask
        }
    }

    /// Removes a roster, and returns it. The caller frees it when no post can see it.
    func remove(_ roster: Roster, tag: UInt) -> Roster? {
        let pointer = unsafe Unmanaged.passUnretained(roster).toOpaque()
        var index = slot(of: tag, mask: mask)
        while true {
            let found = unsafe slots[index].tag.load(ordering: .relaxed)
            if found == 0 { return nil }
            if found == tag, unsafe slots[index].roster.load(ordering: .relaxed) == UInt(bitPattern: pointer) {
                unsafe slots[index].roster.store(0, ordering: .sequentiallyConsistent)
                count -= 1
                return unsafe Unmanaged<Roster>.fromOpaque(pointer).takeRetainedValue()
            }
            index = (index + 1) & mask
        }
    }

    func grown() -> SenderTable {
        let table = SenderTable(capacity: Swift.max(8, (count + 1).nextPowerOfTwo * 2))
        for index in 0...mask {
            guard let roster = unsafe roster(at: index) else { continue }
            table.insert(unsafe roster.takeUnretainedValue(), tag: unsafe slots[index].tag.load(ordering: .relaxed))
        }
        return table
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
