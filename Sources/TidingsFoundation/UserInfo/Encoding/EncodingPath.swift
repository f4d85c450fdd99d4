/// The keys that lead to a place, linked from the place outwards; they become an array only when somebody asks.
final class EncodingPath {
    /// How many keys lead to the place.
    let count: Int
    private let key: any CodingKey
    private let before: EncodingPath?

    init(_ key: any CodingKey, after before: EncodingPath?) {
        self.key = key
        self.before = before
        count = (before?.count ?? 0) + 1
    }

    /// The keys, outermost first.
    var keys: [any CodingKey] {
        var keys = [key]
        var link = before
        while let current = link {
            keys.append(current.key)
            link = current.before
        }
        return keys.reversed()
    }
}
