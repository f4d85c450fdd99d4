/// The end of the table, as far as this program knows it: in total, and for each name of which it has stored rows.
///
/// If none of the rows that were committed here is for a durable observer, nothing is pending for it, even if it hasn't
/// passed these rows yet.
struct NewestPlaces {
    private var newest: Int64
    /// The last position of a row with an unknown name, which another program, or other code, has stored.
    private var unknown: Int64
    private var byName: [String: Int64] = [:]

    init(_ last: Int64) { (newest, unknown) = (last, last) }

    mutating func note(_ posts: [CommittedPost], last: Int64, isAll: Bool) {
        // There may be rows of another program between the last known position and these rows.
        if !isAll || last > newest + Int64(posts.count) { unknown = max(unknown, last) }
        for post in posts { byName[post.announcement.name] = max(byName[post.announcement.name] ?? 0, post.row) }
        newest = max(newest, last)
    }

    mutating func note(_ last: Int64) { if last > newest { (newest, unknown) = (last, last) } }

    /// Returns the last position at which there may be a row with one of the names.
    func newest(of names: Set<String>) -> Int64 { max(unknown, names.lazy.compactMap { byName[$0] }.max() ?? 0) }
}
