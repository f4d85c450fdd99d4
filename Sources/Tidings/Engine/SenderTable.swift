public import Synchronization

/// An index of rosters by sender, which posts read without a lock: open addressing, in a power of two of slots.
///
/// It changes under its channel's lock. A table that is too small is replaced by a larger one; the old one is freed when no
/// post can see it.
@usableFromInline
@safe
final class SenderTable: @unchecked Sendable {  // slots are atomic; the counts change under the channel's lock
    @usableFromInline
    struct Slot: ~Copyable {
        /// The sender's tag; 0 if the slot was never used.
        @usableFromInline let tag = Atomic<UInt>(0)
        /// The address of the roster, retained; 0 if it was taken out.
        @usableFromInline let roster = Atomic<UInt>(0)

        init() {}
    }

    @usableFromInline let mask: Int
    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    private var used = 0
    private(set) var count = 0

    /// - Parameter capacity: A power of two.
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

    /// Whether one more would leave too few free slots.
    var isFull: Bool { (used + 1) * 4 > (mask + 1) * 3 }

    /// A table without rosters, which every channel begins with. It is always full.
    static let empty = SenderTable(capacity: 1)

    /// The slot where the search for a tag begins: the high bits of a multiplication are well mixed.
    @inlinable
    func home(_ tag: UInt) -> Int { slot(of: tag, mask: mask) }

    /// Whether there may be a roster with this tag, which is quickly told for the tags without one.
    @inlinable
    func mayContain(_ tag: UInt) -> Bool {
        var index = home(tag)
        while true {
            // The index is masked, so it lies in the table.
            let found = unsafe slots[index].tag.load(ordering: .acquiring)
            if found == 0 { return false }
            if found == tag { return true }
            index = (index &+ 1) & mask
        }
    }

    /// The roster of a sender; valid while a lane is claimed, or the channel's lock held.
    @usableFromInline
    func roster(of identity: SenderIdentity) -> Roster? {
        guard let tag = identity.tag else { return nil }
        return roster(tag: tag) { $0.sender.isSame(as: identity) }
    }

    /// The first roster with a tag that meets a condition; valid as long.
    func roster(tag: UInt, where isMeant: (Roster) -> Bool) -> Roster? {
        var index = home(tag)
        while true {
            let found = unsafe slots[index].tag.load(ordering: .acquiring)
            if found == 0 { return nil }
            if found == tag, let roster = unsafe roster(at: index) {
                let roster = unsafe roster.takeUnretainedValue()
                if isMeant(roster) { return roster }
            }
            index = (index + 1) & mask
        }
    }

    /// The roster of a dead object that had the address of this one; used under the channel's lock.
    func predecessor(of identity: SenderIdentity) -> Roster? {
        guard let tag = identity.tag else { return nil }
        var index = home(tag)
        while true {
            let found = unsafe slots[index].tag.load(ordering: .relaxed)
            if found == 0 { return nil }
            if found == tag, let roster = unsafe roster(at: index) {
                let roster = unsafe roster.takeUnretainedValue()
                if !roster.isAlive { return roster }
            }
            index = (index + 1) & mask
        }
    }

    /// All rosters; used under the channel's lock.
    func rosters() -> [Roster] {
        (0...mask).compactMap { unsafe roster(at: $0).map { unsafe $0.takeUnretainedValue() } }
    }

    private func roster(at index: Int) -> Unmanaged<Roster>? {
        let address = unsafe slots[index].roster.load(ordering: .sequentiallyConsistent)
        return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe .fromOpaque($0) }
    }

    /// Adds a roster, and retains it. The table must not be full.
    func insert(_ roster: Roster, tag: UInt) {
        let address = unsafe UInt(bitPattern: Unmanaged.passRetained(roster).toOpaque())
        count += 1
        var index = home(tag)
        while true {
            let found = unsafe slots[index].tag.load(ordering: .relaxed)
            // A slot that was left by the same tag is taken again, or those of an address in use again would pile up.
            if found == 0 || found == tag, unsafe slots[index].roster.load(ordering: .relaxed) == 0 {
                if found == 0 { used += 1 }
                unsafe slots[index].roster.store(address, ordering: .sequentiallyConsistent)
                unsafe slots[index].tag.store(tag, ordering: .sequentiallyConsistent)
                return
            }
            index = (index + 1) & mask
        }
    }

    /// Takes a roster out.
    ///
    /// - Returns: The roster, for the caller to free when no post can see it.
    func remove(_ roster: Roster, tag: UInt) -> Roster? {
        let pointer = unsafe Unmanaged.passUnretained(roster).toOpaque()
        var index = home(tag)
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

    /// A table with room for more, and the same rosters.
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
    /// The smallest power of two that is not below this number.
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
