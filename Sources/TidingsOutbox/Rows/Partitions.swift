/// The division of a durable observer's notifications into partitions, by a hash of their keys.
///
/// The number of partitions is a power of two. A partition can therefore be divided on its own, while others aren't:
/// partition 1 of 2 becomes partitions 1 and 3 of 4. Stores keep the progress of each partition separately, under the
/// observer's name for the first one, and under names like `mails/3` for the others. No observer has such a name.
enum Partitions {
    /// The maximum number of partitions. A program has a task for each.
    static let limit = 256

    /// Returns the number of partitions for a requested one, which may not be a power of two.
    static func count(for wanted: Int) -> Int {
        var count = 1
        while count < min(wanted, limit) { count *= 2 }
        return count
    }

    /// Returns the partition to which a key belongs. It has to be the same in all programs, and always.
    static func index(of key: String, among count: Int) -> Int {
        if count == 1 { return 0 }
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        // The low bits of this hash depend on few bits of the key.
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash >> 33
        return Int(hash & UInt64(count - 1))
    }

    /// Returns the partitions that a partition is divided into, in addition to itself.
    static func children(of index: Int, dividing count: Int, into new: Int) -> [Int] {
        Array(stride(from: index + count, to: new, by: count))
    }

    /// Returns the name under which a store keeps the progress of a partition.
    static func name(_ observer: String, _ index: Int) -> String {
        index == 0 ? observer : "\(observer)/\(index)"
    }

    /// Returns the observer of a partition's name.
    static func observer(of name: String) -> String {
        name.utf8.firstIndex(of: 47).map { String(name[..<$0]) } ?? name
    }

    /// Returns the index of a partition's name.
    static func index(of name: String) -> Int {
        name.utf8.firstIndex(of: 47).flatMap { Int(name[name.utf8.index(after: $0)...]) } ?? 0
    }

    // MARK: Unreadable rows

    /// Returns the key of a row that this program can't decode, so that its partition isn't known. Each partition holds
    /// it. A program that can decode it drops it from all partitions but one.
    static func unreadableKey(of row: OutboxRow) -> String { "?\(row.id)" }

    /// Whether a key may be that of a row that couldn't be decoded.
    static func isUnreadable(_ key: String) -> Bool { key.utf8.first == 63 }
}
