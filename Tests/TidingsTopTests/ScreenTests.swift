import Foundation
import Testing
import TidingsInspector

@testable import tidings_top

@Suite(.timeLimit(.minutes(2))) struct ScreenTests {
    private func lines(
        _ snapshot: InspectorSnapshot, _ ranking: Ranking = .queue, width: Int = 80, height: Int? = 24
    ) -> [String] {
        Screen(snapshot, TopState(ranking), status: "live", size: (width, height)).lines.map(\.text)
    }

    @Test func `the screen shows the contents of the snapshot`() throws {
        let lines = lines(try exampleSnapshot())
        #expect(lines[0].hasPrefix("shop (4711)  up 12.5s"))
        #expect(lines[0].hasSuffix("follow  live"))
        #expect(lines[1] == "posts/s 100  deliveries/s 200  waiting 1207  dropped 3  warnings 3")
        #expect(lines[2].hasPrefix("!! a call of an observer") && lines[2].hasSuffix(" Shop/Projection.swift:12"))
        #expect(lines[3].hasPrefix("!  1200 notifications wait") && lines[3].hasSuffix(" Shop/Projection.swift:12"))
        #expect(lines.contains { $0.contains("Shop.Cart") && $0.contains("jection.swift:12") })
        #expect(lines.last?.hasPrefix("sort t w d r b  c count  g group  / filter  h hold  q quit") == true)
    }

    @Test func `relay routes are shown in a table, sorted by lag`() throws {
        var snapshot = try exampleSnapshot()
        var all = lines(snapshot, width: 100)
        let head = try #require(all.firstIndex { $0.hasPrefix("RELAY") })
        #expect(
            all[head].split(separator: " ").map(String.init)
                == ["RELAY", "ROUTE", "GROUP", "WAITING", "OLDEST", "TAKEN", "AGAIN", "DEAD"])
        #expect(
            all[head + 1].split(separator: " ").map(String.init)
                == ["shop:", "no", "answer", "orders.placed", "printers", "320", "95.0s", "8", "2", "1"])
        var relay = try #require(snapshot.relays?.first)
        let known = try #require(relay.routes.first)
        (relay.name, relay.connected, relay.error, relay.routes) = ("other", false, nil, [])
        snapshot.relays?.append(relay)
        relay.connected = true
        relay.routes = (0..<9).map { number in
            var route = known
            (route.notification, route.oldestAge) = ("n\(number)", Double(number * 100))
            return route
        }
        snapshot.relays?.append(relay)
        all = lines(snapshot, width: 120)
        #expect(all[head + 1].contains("n8") && all[head + 6] == "6 more routes")
        #expect(lines(snapshot, width: 120, height: nil).contains { $0.hasPrefix("other: offline") })
        snapshot.relays = nil
        #expect(!lines(snapshot).contains { $0.hasPrefix("RELAY") })
    }

    @Test(arguments: [20, 40, 60, 79, 80, 81, 100, 140, 200])
    func `the screen is never wider or higher than the terminal`(width: Int) throws {
        let snapshot = try manyObservers(300)
        for height in [1, 5, 10, 24, 60] {
            let lines = lines(snapshot, width: width, height: height)
            #expect(lines.count <= height)
            #expect(lines.allSatisfy { $0.columns <= width }, "\(width) by \(height)")
        }
    }

    @Test func `a table of 80 columns shows observers, their places and their queues`() throws {
        let head = try #require(lines(try exampleSnapshot()).first { $0.contains("OBSERVER ") })
        #expect(
            head.split(separator: " ").map(String.init)
                == [
                    "COUNT", "OBSERVER", "REGISTERED", "AT", "WAITING", "RUNNING", "DROPPED", "FAILED",
                ])
    }

    @Test(arguments: [(60, ["FAILED"]), (80, ["RUNNING", "FAILED"]), (100, ["CALLS", "RUNNING", "BUSY", "FAILED"])])
    func `the table of single observers has the columns that fit`(width: Int, shown: [String]) throws {
        var state = TopState(.queue)
        _ = state.press(UInt8(ascii: "g"))
        let screen = Screen(try exampleSnapshot(), state, status: "live", size: (width, 24)).lines.map(\.text)
        let head = try #require(screen.first { $0.hasPrefix("OBSERVER") })
        let columns = Set(head.split(separator: " ").map(String.init)).subtracting(["OBSERVER", "REGISTERED", "AT"])
        #expect(columns == Set(shown + ["WAITING", "DROPPED"]))
    }

    @Test(arguments: [80, 110, 150, 200])
    func `a long type name is truncated, and the file name is not`(width: Int) throws {
        var snapshot = try exampleSnapshot()
        snapshot.groups[0].type = "Shop.ATypeWithAVeryLongNameThatIsNestedSomewhere.AndGeneric<Shop.Something>"
        #expect(lines(snapshot, width: width).contains { $0.contains(" Shop/Projection.swift:12 ") })
    }

    @Test func `a column without values is omitted, except the number of calls`() throws {
        var snapshot = try exampleSnapshot()
        for index in snapshot.groups.indices {
            (snapshot.groups[index].dropped, snapshot.groups[index].failed, snapshot.groups[index].retrying) = (0, 0, 0)
            snapshot.groups[index].calls = 0
        }
        let all = lines(snapshot, width: 120, height: 40)
        let head = try #require(all.firstIndex { $0.contains("OBSERVER ") })
        #expect(!all[head].contains("DROPPED") && !all[head].contains("FAILED") && all[head].contains("CALLS"))
        #expect(all[head + 1].split(separator: " ").contains("0"))
    }

    @Test func `problems come first, beginning with the most important warnings`() throws {
        var snapshot = try exampleSnapshot()
        let severities: [InspectorSnapshot.Warning.Severity] = [.alarm, .warning, .notice]
        for (number, severity) in severities.enumerated() {
            snapshot.warnings[number].severity = severity
            snapshot.warnings[number].text = "text \(number)"
            snapshot.warnings[number].recovered = nil
        }
        let all = lines(snapshot, .trouble, width: 120)
        #expect(all[2...4] == ["!! text 0", "!  text 1", "·  text 2"])
        let head = try #require(all.firstIndex { $0.contains("OBSERVER ") })
        #expect(all[head + 1].contains("Projection.swift:12") && all[head + 2].contains("Badge.swift:30"))
        #expect(try #require(all.firstIndex { $0.hasPrefix("NOTIFICATION") }) > head)
    }

    @Test(arguments: [40, 60, 79]) func `a narrow terminal still shows the observer's place`(width: Int) throws {
        #expect(lines(try exampleSnapshot(), width: width).contains { $0.contains("n.swift:12") })
    }

    @Test func `observers of one line can be grouped in one row, and a growing row is marked`() throws {
        let snapshot = try exampleSnapshot()
        #expect(lines(snapshot).contains { $0.hasPrefix("  1027+ ") || $0.contains("1027+ ") })
        var state = TopState(.queue)
        _ = state.press(UInt8(ascii: "g"))
        let single = Screen(snapshot, state, status: "live", size: (80, 24)).lines.map(\.text)
        #expect(single.contains { $0.hasPrefix("OBSERVER") } && !single.contains { $0.contains("1027+") })
    }

    @Test func `sorting by the share of busy time puts stuck observers first`() throws {
        let lines = lines(try exampleSnapshot(), .busy)
        let head = try #require(lines.firstIndex { $0.contains("OBSERVER ") })
        #expect(lines[head + 1].contains("jection.swift:12") && lines[head + 1].contains("72.5s"))
    }

    @Test func `a filter shows only rows that contain its text, and can be typed`() throws {
        var state = TopState(.queue)
        for key in "/badge".utf8 { _ = state.press(key) }
        #expect(state.filter == "badge" && state.isTyping)
        let typing = Screen(try exampleSnapshot(), state, status: "live", size: (80, 24)).lines.map(\.text)
        #expect(typing.last?.hasPrefix("/badge_") == true)
        #expect(typing.contains { $0.contains("Badge.swift:30") } && !typing.contains { $0.contains("n.swift:12  ") })
        // While typing, q doesn't quit.
        #expect(state.press(UInt8(ascii: "q")) && state.filter == "badgeq")
        #expect(state.press(127) && state.press(13) && state.filter == "badge" && !state.isTyping)
        #expect(state.press(27) && state.filter.isEmpty)
        let goesOn = state.press(UInt8(ascii: "q"))
        #expect(!goesOn)
        #expect(Arguments(["--filter", "a b", "x.jsonl"]) == .recording(path: "x.jsonl", .trouble, filter: "a b"))
    }

    @Test func `rows are sorted by the chosen column`() throws {
        let snapshot = try manyObservers(300)
        func first(_ ranking: Ranking) -> String? {
            let lines = lines(snapshot, ranking, width: 120)
            return lines.firstIndex { $0.contains("OBSERVER ") }.map { lines[$0 + 1] }
        }
        #expect(try #require(first(.queue)).contains("le.swift:299 "))
        #expect(try #require(first(.drops)).contains("File.swift:0 "))
    }

    @Test func `types and observers are sorted by the post rate of the type`() throws {
        let snapshot = try exampleSnapshot()
        let types = Ranking.rate.sort(snapshot.types.reversed())
        #expect(types.map(\.name) == ["Shop.CartChanged", "Shop.AppMessage"])
        let observers = Ranking.rate.sort(snapshot.observers.reversed(), rates: TypeRates(snapshot))
        #expect(observers.map(\.id) == ["2a", "2b", "2c"])
    }

    @Test func `equal rows keep their order`() throws {
        var snapshot = try manyObservers(50)
        for index in snapshot.observers.indices { snapshot.observers[index].waiting = 7 }
        let sorted = Ranking.queue.sort(snapshot.observers, rates: TypeRates(snapshot))
        #expect(sorted.map(\.id) == snapshot.observers.map(\.id))
    }

    @Test func `without a height, all observers are listed, and those that the inspector omitted are counted`() throws {
        var snapshot = try manyObservers(300)
        snapshot.omitted.observers = 9700
        var state = TopState(.queue)
        _ = state.press(UInt8(ascii: "g"))
        let lines = Screen(snapshot, state, status: "once", size: (80, nil)).lines.map(\.text)
        #expect(lines.count { $0.contains("Shop/File") } == 300)
        #expect(lines.last == "9700 more observers")
    }

    @Test func `the screen can show a snapshot with numbers that are out of range`() throws {
        var snapshot = try manyObservers(300)
        snapshot.omitted.observers = .max
        snapshot.totals.waiting = .max
        snapshot.totals.drops = .min
        snapshot.totals.postsPerSecond = 1e308
        snapshot.time = -1e308
        #expect(lines(snapshot).count == 24)
        #expect(lines(snapshot, height: nil).count > 300)
    }

    @Test func `control characters in names have no effect on the terminal`() throws {
        var snapshot = try exampleSnapshot()
        let hostile = "\u{1B}[2J\u{202E}evil\u{7}\n\u{9B}31m<script>"
        snapshot.program.name = hostile
        snapshot.types[0].name = hostile
        (snapshot.observers[0].type, snapshot.groups[0].type) = (hostile, hostile)
        (snapshot.observers[0].place, snapshot.groups[0].place) = (hostile, hostile)
        snapshot.warnings[0].text = hostile
        let text = lines(snapshot, width: 160).joined()
        #expect(!text.unicodeScalars.contains { [.control, .format].contains($0.properties.generalCategory) })
        #expect(text.contains(#"\u{1b}[2J\u{202e}evil\u{7}"#))
    }

    @Test func `a name of one megabyte takes one line`() throws {
        var snapshot = try exampleSnapshot()
        snapshot.groups[0].type = String(repeating: "漢", count: 350_000)
        #expect(lines(snapshot).allSatisfy { $0.columns <= 80 })
    }

    @Test func `wide characters take two columns, and combining marks none`() {
        #expect("漢字".columns == 4)
        #expect("e\u{301}".columns == 1)
        #expect("漢字".fitted(to: 4) == "漢字")
        #expect("漢字漢".fitted(to: 4) == "漢… ")
        #expect("ab".fitted(to: 4, .right) == "  ab")
        #expect("abc".fitted(to: 2) == "a…")
        #expect("Shop/Cart.swift:12".fitted(to: 9, .end) == "…swift:12")
        #expect("漢字漢".fitted(to: 4, .end) == "…漢 ")
        #expect("abc".fitted(to: 0) == "")
    }

    @Test func `numbers and durations are abbreviated`() {
        #expect(
            [0, 7, 999, 9999, 10_000, 12_345, 1_234_567, 5_000_000_000].map { short($0) }
                == ["0", "7", "999", "9999", "10.0k", "12.3k", "1.2M", "5.0G"])
        #expect(
            [0.25, -3.5, 12.5, .infinity, .nan, 1e300].map { short($0) } == ["0.3", "-3.5", "13", "–", "–", "many"])
        #expect(
            [0, 3e-7, 1.5e-5, 0.0021, 1.5, 600, 1e5, 1e6, -1, .nan].map { short(seconds: $0) }
                == ["0ns", "300ns", "15.0µs", "2.1ms", "1.5s", "10min", "27h", "11d", "–", "–"])
    }

    @Test func `no duration is wider than six columns`() {
        #expect([8_639_999_999, 8.64e9, 1e11].map { short(seconds: $0) } == ["99999d", "–", "–"])
    }
}
