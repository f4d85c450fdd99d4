import Foundation

enum Table {
    private static let nameWidth = 68
    private static let cellWidth = 14

    /// Prints a block of rows for each parameter. The last column is a row's figure, divided by the figure of the
    /// block's first row.
    static func show(_ workload: Workload, _ results: [Result]) {
        for parameter in Set(results.map(\.parameter)).sorted() {
            let block = results.filter { $0.parameter == parameter }
            print("\n\(workload.name) - \(workload.parameterName): \(parameter.formatted())")
            row("", ["min", "median", "ratio"], workload.unit.description)
            for result in block {
                let ratio = block[0].figure > 0 ? number(result.figure / block[0].figure) : ""
                let note = result.isDisturbed ? "waited for a core" : ""
                row(result.subject, [number(result.min), number(result.median), ratio], note)
            }
        }
    }

    static func show(_ outcomes: [Outcome]) {
        print("\nbars")
        print("  " + columns(["limit", "ratio"]))
        for outcome in outcomes {
            let cells = [outcome.bar.limit.description, number(outcome.ratio), outcome.verdict]
            print("  " + columns(cells) + "  \(outcome.bar)")
        }
    }

    private static func row(_ name: String, _ cells: [String], _ note: String = "") {
        let padded = name.padding(toLength: nameWidth, withPad: " ", startingAt: 0)
        print("  " + padded + columns(cells) + (note.isEmpty ? "" : "  \(note)"))
    }

    private static func columns(_ cells: [String]) -> String {
        cells.map { String(repeating: " ", count: max(1, cellWidth - $0.count)) + $0 }.joined()
    }

    static func number(_ value: Double) -> String {
        let digits = value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : 2
        return value.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US")))
    }
}
