/// Names occur in SQL statements, file names and messages, so only letters, digits, `-`, `_` and `.` are allowed.
enum OutboxNames {
    static func refusal(ofObserver name: String) -> String? {
        if !name.isEmpty, name.utf8.count <= 200, name.utf8.allSatisfy(isPlain) { return nil }
        return
            "\"\(shown(name))\" isn't a valid name: use 1 to 200 ASCII letters, digits, hyphens, underscores or dots"
    }

    static func refusal(ofType name: String) -> String? {
        let isWhole = name.utf8.first != 46 && name.utf8.last != 46 && !name.utf8.isEmpty
        if isWhole, name.utf8.count <= 255, name.utf8.allSatisfy(isPlain), !name.contains("..") { return nil }
        return
            "\"\(shown(name))\" can't be a wireName: use 1 to 255 ASCII letters, digits, - and _, in parts separated by dots"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || [45, 46, 95].contains(byte)
    }

    private static func shown(_ name: String) -> String { name.count > 40 ? "\(name.prefix(40))…" : name }
}
