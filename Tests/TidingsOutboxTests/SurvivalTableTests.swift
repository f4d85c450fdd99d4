import Foundation
import Testing

/// Compares the first table of the article *What survives* with the tests. Each cell must have a test for each
/// database, or a reason why there is none.
@Suite(.timeLimit(.minutes(2))) struct SurvivalTableTests {
    private struct Cell: Hashable, CustomStringConvertible {
        let row: String
        let column: SurvivalColumn
        let kind: SurvivalKind
        var description: String { "\(row) | \(column.title) | \(kind)" }
    }

    /// The cells that don't apply to a database, with the reasons.
    private static let excused: [(reason: String, rows: [String]?, columns: [SurvivalColumn], kinds: [SurvivalKind])] =
        [
            (
                "the store in memory has no user transactions",
                ["the transaction is rolled back", "the program ends before the commit"], SurvivalColumn.allCases,
                [.memory]
            ),
            ("the store in memory has no inbox", nil, [.inbox], [.memory]),
            (
                "these stores have no connection to PostgreSQL", ["the connection to PostgreSQL is cut"],
                SurvivalColumn.allCases, [.sqlite, .memory]
            ),
        ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static func rows() throws -> [String] {
        let text = try String(
            contentsOf: folder.appending(path: "../../Sources/TidingsOutbox/Documentation.docc/WhatSurvives.md"),
            encoding: .utf8)
        let table = try #require(text.range(of: "| event |"))
        let lines = text[table.lowerBound...].prefix { $0 != "#" }.split(separator: "\n").prefix { $0.hasPrefix("|") }
        let cells = lines.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let head = cells[0].dropFirst()
        #expect(head.count == SurvivalColumn.allCases.count, "the table's columns and SurvivalColumn differ")
        for (title, column) in zip(head, SurvivalColumn.allCases) { #expect(title.hasPrefix(column.title)) }
        return cells.dropFirst(2).map { $0[0] }
    }

    /// Returns the cells that tests cover, and the traits that can't be parsed.
    private static func shown(in text: String) -> (cells: Set<Cell>, unclear: [String]) {
        var cells: Set<Cell> = []
        var unclear: [String] = []
        let pattern = #/\.survives\(\s*"([^"]+)",\s*((?:\.\w+,\s*)+)on:\s*\[([^\]]*)\]\s*\)(?=[^{}]*?\bfunc\s)/#
        let matches = text.matches(of: pattern)
        for match in matches {
            let columns = match.2.matches(of: #/\w+/#).compactMap { SurvivalColumn(rawValue: String($0.0)) }
            let kinds = match.3.matches(of: #/\w+/#).compactMap { SurvivalKind(rawValue: String($0.0)) }
            if columns.isEmpty || kinds.isEmpty { unclear.append(String(match.0)) }
            for column in columns {
                for kind in kinds { cells.insert(Cell(row: String(match.1), column: column, kind: kind)) }
            }
        }
        if matches.count != text.matches(of: #/\.survives\(\s*"/#).count {
            unclear.append("a .survives trait that can't be parsed")
        }
        return (cells, unclear)
    }

    private static func sources() throws -> String {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" && $0.lastPathComponent != "SurvivalTableTests.swift" }
        return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    private static func compare(_ rows: [String], _ shown: Set<Cell>) -> (untested: Set<Cell>, unknown: Set<Cell>) {
        var all: Set<Cell> = []
        for row in rows {
            for column in SurvivalColumn.allCases {
                for kind in SurvivalKind.allCases { all.insert(Cell(row: row, column: column, kind: kind)) }
            }
        }
        let without = all.filter { cell in
            excused.contains { excuse in
                excuse.rows?.contains(cell.row) ?? true && excuse.columns.contains(cell.column)
                    && excuse.kinds.contains(cell.kind)
            }
        }
        return (all.subtracting(shown).subtracting(without), shown.subtracting(all).union(shown.intersection(without)))
    }

    @Test func `each cell of the table has a test, and each test has a cell`() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 11)
        for row in Self.excused.flatMap({ $0.rows ?? [] }) {
            #expect(rows.contains(row), "there is an exception for a row that doesn't exist")
        }
        let (shown, unclear) = Self.shown(in: try Self.sources())
        #expect(unclear == [])
        let (untested, unknown) = Self.compare(rows, shown)
        #expect(untested.map(\.description).sorted() == [])
        #expect(unknown.map(\.description).sorted() == [])
    }

    @Test func `an added row and a removed test are detected`() throws {
        let (rows, sources) = (try Self.rows(), try Self.sources())
        let added = Self.compare(rows + ["the moon"], Self.shown(in: sources).cells)
        #expect(added.untested.count == 8 && added.untested.allSatisfy { $0.row == "the moon" })
        // Without the tests of a row, at least one of its cells is untested.
        for row in rows {
            let left = Self.shown(
                in: sources.replacing(".survives(\n", with: ".survives(").replacing("\"\(row)\"", with: "\"\""))
            #expect(Self.compare(rows, left.cells).untested.contains { $0.row == row })
        }
        let removed = Self.shown(in: ".survives(\"nothing\", .center, on: [.sqlite]) /* the function is gone */ }")
        #expect(removed.cells.isEmpty && !removed.unclear.isEmpty)
    }
}
