struct Column<Row> {
    let title: String
    let alignment: String.Alignment
    /// The width in terminal columns, or `nil` if it depends on the content and the available room.
    let width: Int?
    /// The minimum width of a terminal that shows the column.
    let wanted: Int
    /// The order in which columns of variable width get room, lowest first.
    let rank: Int
    let text: (Row) -> String?

    static func text(
        _ title: String, from wanted: Int = 0, rank: Int = 1, alignment: String.Alignment = .left,
        _ text: @escaping (Row) -> String?
    ) -> Column {
        Column(title: title, alignment: alignment, width: nil, wanted: wanted, rank: rank, text: text)
    }

    static func number(_ title: String, from wanted: Int = 0, _ text: @escaping (Row) -> String?) -> Column {
        Column(title: title, alignment: .right, width: max(6, title.count), wanted: wanted, rank: 0, text: text)
    }
}

struct Table {
    let head: String
    let rows: [String]

    init<Row>(_ rows: some Sequence<Row>, _ columns: [Column<Row>], width: Int) {
        let wanted = columns.filter { $0.wanted <= width }
        let cells = rows.map { row in wanted.map { $0.text(row)?.forTerminal } }
        let used = wanted.indices.filter { index in cells.isEmpty || cells.contains { $0[index] != nil } }
        let shown = used.map { wanted[$0] }
        let fixed = shown.compactMap(\.width).reduce(0, +) + 2 * max(0, shown.count - 1)
        let texts = shown.indices.filter { shown[$0].width == nil }
        var widths = shown.map { $0.width ?? 4 }
        var left = max(0, width - fixed - 4 * texts.count)
        for index in texts.sorted(by: { (shown[$0].rank, $0) < (shown[$1].rank, $1) }) {
            let longest = cells.map { $0[used[index]]?.columns ?? 0 }.max() ?? 0
            let more = min(left, max(0, max(longest, shown[index].title.count) - 4))
            widths[index] += more
            left -= more
        }
        func line(_ cells: [String]) -> String {
            let fitted = zip(cells, zip(shown, widths)).map { cell, layout in
                cell.fitted(to: layout.1, layout.0.alignment)
            }
            return fitted.joined(separator: "  ").fitted(to: width)
        }
        head = line(shown.map(\.title))
        self.rows = cells.map { row in line(used.map { row[$0] ?? (wanted[$0].width == nil ? "" : "–") }) }
    }
}
