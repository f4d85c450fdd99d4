/// A column of a table.
struct Column<Row> {
    let title: String
    let alignment: String.Alignment
    /// How many columns of the terminal it takes, if it is as wide as that always.
    let width: Int?
    /// In how wide a terminal it is shown.
    let wanted: Int
    let text: (Row) -> String

    /// A column of a text that takes what the others leave.
    static func text(
        _ title: String, from wanted: Int = 0, alignment: String.Alignment = .left, _ text: @escaping (Row) -> String
    ) -> Column {
        Column(title: title, alignment: alignment, width: nil, wanted: wanted, text: text)
    }

    /// A column of numbers.
    static func number(_ title: String, from wanted: Int = 0, _ text: @escaping (Row) -> String?) -> Column {
        Column(title: title, alignment: .right, width: max(6, title.count), wanted: wanted) { text($0) ?? "–" }
    }
}

/// A table as wide as a terminal: its head and its rows, each a line.
struct Table {
    let head: String
    let rows: [String]

    /// - Parameters:
    ///   - rows: The rows.
    ///   - columns: The columns; those for which the terminal is too narrow are left out.
    ///   - width: How wide the terminal is.
    init<Row>(_ rows: some Sequence<Row>, _ columns: [Column<Row>], width: Int) {
        let shown = columns.filter { $0.wanted <= width }
        let fixed = shown.compactMap(\.width).reduce(0, +) + 2 * max(0, shown.count - 1)
        let flexible = shown.count { $0.width == nil }
        let left = max(0, width - fixed)
        var index = 0
        let widths = shown.map { column in
            if let width = column.width { return width }
            // The first ones take what does not divide.
            defer { index += 1 }
            return max(4, left / flexible + (index < left % flexible ? 1 : 0))
        }
        func line(_ cells: [String]) -> String {
            let fitted = zip(cells, zip(shown, widths)).map { cell, layout in
                cell.fitted(to: layout.1, layout.0.alignment)
            }
            return fitted.joined(separator: "  ").fitted(to: width)
        }
        head = line(shown.map(\.title))
        self.rows = rows.map { row in line(shown.map { $0.text(row).forTerminal }) }
    }
}
