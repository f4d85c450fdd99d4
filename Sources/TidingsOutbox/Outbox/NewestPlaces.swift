/// The last position in the table that this program knows, and the last position for each name of rows.
///
/// With these positions, a durable observer detects that nothing is pending when all newer rows are for other
/// observers.
struct NewestPlaces {
    private var newest: Int64
    /// The last position of a row with an unknown name, which other code has stored.
    private var unknown: Int64
    private var byName: [String: Int64] = [:]

    init(_ last: Int64) { (newest, unknown) = (last, last) }

    mutating func note(_ posts: [CommittedPost], last: Int64, isAll: Bool) {
        // There may be rows of another program before these rows.
        if !isAll || last > newest + Int64(posts.count) { unknown = max(unknown, last) }
        for post in posts { byName[post.announcement.name] = max(byName[post.announcement.name] ?? 0, post.row) }
        newest = max(newest, last)
    }

    mutating func note(_ last: Int64) { if last > newest { (newest, unknown) = (last, last) } }

    func newest(of names: Set<String>) -> Int64 { max(unknown, names.lazy.compactMap { byName[$0] }.max() ?? 0) }
}
