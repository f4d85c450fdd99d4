import Foundation

/// Prints results in columns.
enum Table {
    /// Prints what the contenders of a workload came to, one block for each parameter.
    ///
    /// The last column compares each with the first of its block.
    static func show(_ workload: Workload, _ results: [Result], disturbed: Int) {
        for parameter in Set(results.map(\.parameter)).sorted() {
            let block = results.filter { $0.parameter == parameter }
            row(
                "\n\(workload.name), \(parameter.formatted()) \(workload.parameterName)",
                ["min", "median", workload.unit.description])
            for result in block {
                row(
                    "  \(result.subject)",
                    [number(result.min), number(result.median), block[0].median > 0 ? number(result.median / block[0].median) + "x" : ""])
            }
        }
        if disturbed > 0 { print("  (\(disturbed) samples waited for a core and could not be taken again)") }
    }

    /// Prints which bars were reached.
    static func show(_ outcomes: [Outcome]) {
        row("\nbars", ["ratio", "limit", ""])
        for outcome in outcomes {
            row("  \(outcome.bar)", [outcome.ratio.map(number) ?? "-", outcome.bar.limit.description, outcome.verdict])
        }
    }

    private static func row(_ title: String, _ cells: [String]) {
        let indent = title.prefix { $0 == "\n" }
        let name = title.dropFirst(indent.count)
        let padded = name.padding(toLength: max(62, name.count), withPad: " ", startingAt: 0)
        print(indent + padded + cells.map { String(repeating: " ", count: max(1, 14 - $0.count)) + $0 }.joined())
    }

    /// A number with three digits or more that count.
    private static func number(_ value: Double) -> String {
        let digits = value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : 2
        return value.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US")))
    }
}
