/// The number of partitions is a power of two, so each partition can be divided on its own. For example, partition 1 of
/// 2 becomes partitions 1 and 3 of 4. Stores keep the progress of the first partition under the observer's name, and
/// the progress of the others under names like `mails/3`, which can't be an observer's name.
enum Partitions {
    static let limit = 256

    static func count(for wanted: Int) -> Int {
        var count = 1
        while count < min(wanted, limit) { count *= 2 }
        return count
    }

    /// Returns the partition to which a key belongs. The result must never change.
    static func index(of key: String, among count: Int) -> Int {
        if count == 1 { return 0 }
        var hash = key.stableHash
        // The low bits of this hash depend on few bits of the key, so the bits are mixed.
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash >> 33
        return Int(hash & UInt64(count - 1))
    }

    static func children(of index: Int, dividing count: Int, into new: Int) -> [Int] {
        Array(stride(from: index + count, to: new, by: count))
    }

    static func name(_ observer: String, _ index: Int) -> String {
        index == 0 ? observer : "\(observer)/\(index)"
    }

    static func observer(of name: String) -> String {
        name.utf8.firstIndex(of: 47).map { String(name[..<$0]) } ?? name
    }

    static func index(of name: String) -> Int {
        name.utf8.firstIndex(of: 47).flatMap { Int(name[name.utf8.index(after: $0)...]) } ?? 0
    }

    /// Returns the key of a row that this program can't decode. The row's partition isn't known, so each partition
    /// holds the row. A program that can decode the row drops it from all partitions but one.
    static func unreadableKey(of row: OutboxRow) -> String { "?\(row.id)" }

    static func isUnreadable(_ key: String) -> Bool { key.utf8.first == 63 }

    static func mayBelong(_ key: String, to index: Int, of count: Int) -> Bool {
        isUnreadable(key) || self.index(of: key, among: count) == index
    }
}
