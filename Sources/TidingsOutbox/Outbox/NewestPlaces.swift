/// How far the table reaches, as far as this program knows: in all, and for rows of each name that it has stored itself.
///
/// A durable observer that wants no row of what was committed here has nothing before it, though it has not passed over that yet.
struct NewestPlaces {
    /// The last position.
    private var newest: Int64
    /// The last position of a row whose name is not known, as another program, or another hand, has stored it.
    private var unknown: Int64
    private var byName: [String: Int64] = [:]

    init(_ last: Int64) { (newest, unknown) = (last, last) }

    /// Notes what was committed here.
    mutating func note(_ posts: [CommittedPost], last: Int64, isAll: Bool) {
        // Between the last that was known and these there may be another program's.
        if !isAll || last > newest + Int64(posts.count) { unknown = max(unknown, last) }
        for post in posts { byName[post.announcement.name] = max(byName[post.announcement.name] ?? 0, post.row) }
        newest = max(newest, last)
    }

    /// Notes how far the table reaches.
    mutating func note(_ last: Int64) { if last > newest { (newest, unknown) = (last, last) } }

    /// The last position at which there may be a row of one of some names.
    func newest(of names: Set<String>) -> Int64 { max(unknown, names.lazy.compactMap { byName[$0] }.max() ?? 0) }
}
