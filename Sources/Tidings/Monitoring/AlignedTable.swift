extension [[String]] {
    /// The rows as lines of text, with aligned columns.
    var alignedTable: String {
        let rows = map { row in row.map(\.onOneLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { cell, width in cell.padded(to: width) }.joined(separator: "  ").trimmed
        }
        .joined(separator: "\n")
    }
}

extension String {
    /// The string with spaces for its line breaks, as each value takes one line of the table.
    fileprivate var onOneLine: String { String(map { $0.isNewline ? " " : $0 }) }

    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: width - count) }

    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
