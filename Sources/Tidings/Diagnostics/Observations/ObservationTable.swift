extension Collection<ObservationStatus> {
    /// The observations as a table with aligned columns, to be printed.
    public var table: String {
        let titles = ["notification", "sender", "owner", "delivery", "queued", "dropped", "running", "registered at"]
        let rows = [titles] + map(\.cells)
        let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { cell, width in cell.padded(to: width) }.joined(separator: "  ").trimmed
        }
        .joined(separator: "\n")
    }
}

extension ObservationStatus {
    fileprivate var cells: [String] {
        [
            observer.subject.name, sender ?? "", owner ?? "", observer.delivery.description,
            queued == 0 ? "" : "\(queued)", dropped == 0 ? "" : "\(dropped)", isRunning ? "yes" : "",
            observer.place.description,
        ].map(\.onOneLine)
    }
}

extension String {
    /// In a table each value has one line.
    fileprivate var onOneLine: String { String(map { $0.isNewline ? " " : $0 }) }

    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: width - count) }

    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
