/// The newest position of each notification name. An observer has work only if the newest position of one of its names
/// is after its cursor.
struct NewestPlaces {
    private var newest: Int64
    /// The last position at which other code may have stored a row, whose name isn't known here.
    private var unknown: Int64
    private var byName: [String: Int64] = [:]

    init(_ last: Int64) { (newest, unknown) = (last, last) }

    mutating func note(_ posts: [CommittedPost], last: Int64, isAll: Bool) {
        // Other code may also have stored rows.
        if !isAll || last > newest + Int64(posts.count) { unknown = max(unknown, last) }
        for post in posts { byName[post.announcement.name] = max(byName[post.announcement.name] ?? 0, post.row) }
        newest = max(newest, last)
    }

    mutating func note(_ last: Int64) { if last > newest { (newest, unknown) = (last, last) } }

    func newest(of names: Set<String>) -> Int64 { max(unknown, names.lazy.compactMap { byName[$0] }.max() ?? 0) }
}
