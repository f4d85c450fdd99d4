import Foundation
import Testing
import TidingsInspector

@testable import tidings_top

@Suite(.timeLimit(.minutes(2))) struct ComparisonTests {
    @Test func `a comparison lists source lines that are new, gone, or have more observers or a longer queue`() throws {
        let before = try manyObservers(5)
        var after = before
        after.time += 90
        after.groups.remove(at: 0)
        after.groups[1].count += 40
        after.groups[2].waiting += 7
        var new = after.groups[0]
        (new.place, new.id) = ("Shop/New.swift:3", "g99")
        after.groups.append(new)
        let rows = Comparison(before, after).observers
        #expect(
            rows.map(\.place) == ["Shop/New.swift:3", "Shop/File.swift:0", "Shop/File.swift:2", "Shop/File.swift:3"])
        #expect(rows.map(\.presence) == [.new, .gone, .both, .both])
        #expect(rows[2].after == 41 && rows[3].waiting == 7)
        #expect(Comparison(before, before).observers.isEmpty && Comparison(before, before).types.isEmpty)
    }

    @Test func `the greatest changes come first, whether a number has increased or decreased`() throws {
        var before = try manyObservers(3)
        before.groups[1].waiting = 500
        var after = before
        after.groups[0].dropped += 1
        after.groups[1].waiting = 0
        after.groups[2].waiting += 7
        let rows = Comparison(before, after).observers
        #expect(rows.map(\.waiting) == [-500, 7, 0] && rows.map(\.dropped) == [0, 0, 1])
    }

    @Test func `a comparison with another run of the program matches observers by their source lines`() throws {
        let before = try manyObservers(3)
        var after = before
        after.program.process += 1
        after.groups = after.groups.map { group in
            var group = group
            group.id += "x"
            group.observer = group.id
            return group
        }
        let comparison = Comparison(before, after)
        #expect(!comparison.isOneRun && comparison.observers.isEmpty)
        #expect(comparison.lines(width: 100)[0].contains("another run"))
    }

    @Test func `a comparison lists the additional posts and drops of each type, and new warnings`() throws {
        let before = try exampleSnapshot()
        var after = before
        after.types[0].posts += 1000
        after.types[0].drops += 5
        var warning = before.warnings[0]
        (warning.id, warning.place, warning.recovered) = (99, "Shop/Other.swift:1", nil)
        warning.text = "something else is wrong"
        after.warnings.append(warning)
        let comparison = Comparison(before, after)
        #expect(comparison.types.map(\.calls) == [1000] && comparison.types.map(\.dropped) == [5])
        #expect(comparison.newWarnings.map(\.id) == [99])
        let lines = comparison.lines(width: 120)
        #expect(lines.contains { $0.contains("something else is wrong") })
        #expect(lines.contains { $0.contains("+1000") && $0.contains("+5") })
    }

    @Test(arguments: [20, 60, 100, 200]) func `no line is wider than the terminal`(width: Int) throws {
        let (before, after) = (try manyObservers(3), try manyObservers(30))
        #expect(Comparison(before, after).lines(width: width).allSatisfy { $0.columns <= width })
    }

    @Test func `each argument is an address or a file, and a file may be a recording or a single snapshot`() throws {
        #expect(try RecordingFile(exampleData()).snapshots == [exampleSnapshot()])
        let address = try #require(InspectorAddress("http://127.0.0.1:1/"))
        #expect(
            Arguments(["--compare", "a.json", "http://127.0.0.1:1/"])
                == .comparison(.file(path: "a.json"), .program(address)))
        for words in [
            ["--compare"], ["--compare", "a"], ["--compare", "a", "b", "c"], ["--compare", "a", "http://"],
        ] {
            guard case .wrong = Arguments(words) else {
                Issue.record("\(words) was accepted")
                continue
            }
        }
    }

    @Test(arguments: [["--sort", "drops"], ["--filter", "cart"], ["a.json"]])
    func `a comparison accepts no arguments that would have no effect on it`(words: [String]) {
        guard case .wrong(let reason) = Arguments(words + ["--compare", "b.json", "c.json"]) else {
            Issue.record("\(words) was accepted")
            return
        }
        #expect(reason.contains("no other arguments"))
    }
}
