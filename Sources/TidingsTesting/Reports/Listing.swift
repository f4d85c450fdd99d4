/// Things one a line, for a report.
enum Listing {
    /// How many lines a report shows of a list.
    private static let limit = 50

    /// The lines of a list, each with its number.
    static func lines<Element: CustomStringConvertible>(_ elements: [Element]) -> [String] {
        if elements.isEmpty { return ["  none"] }
        let lines = elements.prefix(limit).enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return elements.count > limit ? lines + ["  … and \(elements.count - limit) more"] : lines
    }
}
