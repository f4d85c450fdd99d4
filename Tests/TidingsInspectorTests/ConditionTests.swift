import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsInspector

@Suite(.timeLimit(.minutes(2))) struct ConditionTests {
    private let center = NativeNotificationCenter()
    private let token: NotificationToken

    init() { token = center.addObserver(for: Ping.self) { _ in } }

    private func observer(
        _ name: String, _ delivery: DeliveryMode, waiting: Int = 0, runningFor: Double? = nil, busy: Double? = nil
    ) -> InspectorSnapshot.Observer {
        InspectorSnapshot.Observer(
            id: name, center: "shop", type: name, place: "Shop/\(name).swift:1", delivery: "\(delivery)", seen: 0,
            waiting: waiting, dropped: 0, running: runningFor != nil, runningFor: runningFor, isStuck: false, busy: busy
        )
    }

    private func picture(_ rows: [InspectorSnapshot.Observer]) -> Picture {
        var picture = Picture()
        let observation = center.observations[0].observer
        picture.observers = rows.map { row in
            ObserverRow(
                id: observation.id, row: row, group: 0, key: TypeKey(subject: 0, type: observation.subject))
        }
        return picture
    }

    @Test func `a blocked thread pool is reported with the calls that run in it, the longest first`() throws {
        var (conditions, warnings) = (ConditionBook([], start: 100), WarningBook())
        let rows = [
            observer("Short", .actor, runningFor: 5), observer("Long", .task, runningFor: 9),
            observer("Main", .mainActor, runningFor: 20), observer("Queued", .actor, waiting: 3),
        ]
        conditions.note(picture(rows), nil, poolBlockedFor: 7, at: 1, &warnings)
        let warning = try #require(warnings.all(at: 101).first)
        #expect(
            warning.text == "the cooperative thread pool has started no work for 7.0 s, and 1 observer waits for it; "
                + "calls that run in it: Long at Shop/Long.swift:1, Short at Shop/Short.swift:1")
        #expect(warning.kind == .blockedPool && warning.since == 101)
        #expect(warning.center == "shop" && warning.observer == "Long" && warning.place == "Shop/Long.swift:1")
        conditions.note(picture(rows), nil, poolBlockedFor: nil, at: 2, &warnings)
        #expect(warnings.all(at: 102).map(\.recovered) == [102])
    }

    @Test func `a blocked thread pool is reported even if no observer runs in it`() throws {
        var (conditions, warnings) = (ConditionBook([], start: 0), WarningBook())
        let rows = [observer("A", .actor, waiting: 1), observer("B", .task, waiting: 1)]
        conditions.note(picture(rows), nil, poolBlockedFor: 200, at: 1, &warnings)
        let warning = try #require(warnings.all(at: 1).first)
        #expect(
            warning.text == "the cooperative thread pool has started no work for 3 min, and 2 observers wait for it; "
                + "no observer is running in it, so other tasks occupy it")
        #expect(warning.observer == nil && warning.place == nil)
    }

    @Test
    func `if observers keep the main actor busy for three seconds, a warning lists each observer's share`() throws {
        var (conditions, warnings) = (ConditionBook([], start: 0), WarningBook())
        let busy = picture([
            observer("Map", .inPostOnMainActor, busy: 0.3), observer("List", .mainActor, busy: 0.65),
            observer("Idle", .mainActor, busy: 0.001), observer("Store", .actor, busy: 1),
        ])
        for time in 0...2 { conditions.note(busy, nil, poolBlockedFor: nil, at: Double(time), &warnings) }
        #expect(warnings.all(at: 2).isEmpty)
        conditions.note(busy, nil, poolBlockedFor: nil, at: 3, &warnings)
        let warning = try #require(warnings.all(at: 3).first)
        #expect(
            warning.text == "calls of observers have kept the main actor busy for 3.0 s: List at Shop/List.swift:1 "
                + "(65 %), Map at Shop/Map.swift:1 (30 %)")
        #expect(warning.kind == .busyMainActor && warning.observer == "List" && warning.place == "Shop/List.swift:1")
        let calm = picture([observer("List", .mainActor, busy: 0.89)])
        conditions.note(calm, nil, poolBlockedFor: nil, at: 4, &warnings)
        #expect(warnings.all(at: 4).map(\.recovered) == [4])
        // After the recovery, the main actor has to be busy for another three seconds before the next warning.
        conditions.note(busy, nil, poolBlockedFor: nil, at: 5, &warnings)
        #expect(warnings.all(at: 5).map(\.recovered) == [4])
    }

    @Test func `the warning about a cycle of posts recovers when the tier changes`() {
        let (center, inspector) = (center, Inspector(of: center, clock: ManualClock()))
        // One line makes all posts, because a cycle is detected by the types and source lines of its posts.
        @Sendable func post(_ number: Int) { center.post(Ping(number: number)) }
        let observer = center.addObserver(for: Ping.self) { if $0.number > 0 { post($0.number - 1) } }
        inspector.measure(.count)
        post(2)
        let counted = inspector.snapshot().warnings.filter { $0.kind == .postCycle }
        #expect(counted.map { $0.recovered == nil } == [true])
        inspector.measure(.follow)
        let followed = inspector.snapshot().warnings.filter { $0.kind == .postCycle }
        #expect(followed.map { $0.recovered != nil } == [true])
        observer.cancel()
    }

    @Test func `if there are too many warnings, recovered warnings are removed first, and then the oldest`() {
        var warnings = WarningBook()
        for number in 0..<100 { warnings.note(.unobserved, about: "\(number)", "text \(number)", at: Double(number)) }
        warnings.note(.unobserved, about: "50", nil, at: 100)
        warnings.note(.unobserved, about: "100", "text 100", at: 101)
        warnings.note(.unobserved, about: "101", "text 101", at: 102)
        let texts = Set(warnings.all(at: 102).map(\.text))
        #expect(texts.count == 100)
        #expect(!texts.contains("text 50") && !texts.contains("text 0") && texts.contains("text 1"))
    }

    @Test func `the warning about an unusually long call contains the call's duration and the median`() {
        var warnings = WarningBook()
        warnings.note(outlier: 1.25, median: 0.002, of: 400, observer("Map", .actor), at: 1)
        let text = warnings.all(at: 1).first?.text ?? ""
        #expect(text.hasPrefix("a call of an observer took 1.3 s, and half of 400 calls took no more than 2 ms: "))
    }

    @Test func `the warning about a slow call on the main actor has a rounded duration`() {
        var warnings = WarningBook()
        let observer = center.observations[0].observer
        warnings.note(.slowOnMainActor(observer, duration: .microseconds(123_456)), in: "shop", at: 1)
        let text = warnings.all(at: 1).first?.text ?? ""
        #expect(text.hasPrefix("an observer took 123 ms on the main actor: "))
    }

    @Test func `a token that is too short or has invalid characters is rejected, and the error doesn't quote it`() {
        #expect(Token.objection(to: "a-token-that-tests-know") == nil)
        #expect(Token.objection(to: "tiny")?.contains("has 4 characters, and needs at least 16") == true)
        #expect(Token.objection(to: "x")?.contains("has 1 character, and needs") == true)
        let spaced = "a token with spaces in it"
        #expect(Token.objection(to: spaced)?.contains("only contain letters, digits, hyphens") == true)
        #expect(Token.objection(to: spaced)?.contains(spaced) == false)
        #expect(Token.objection(to: Token.make()) == nil)
    }

    @Test(arguments: [
        (0.0000012, "1.2 µs"), (0.0125, "13 ms"), (9.94, "9.9 s"), (119.4, "119 s"), (180, "3 min"), (7200, "2 h"),
        (172_800, "2 d"),
    ])
    func `durations are rounded in the unit that is easiest to read`(seconds: Double, text: String) {
        #expect(seconds.roundedDuration == text)
    }

    @Test(arguments: [(0.25, "0.3"), (9.9, "9.9"), (10.4, "10"), (999_999, "999999"), (2_540_000, "2.5 million")])
    func `rates below 10 have one decimal place`(rate: Double, text: String) { #expect(rate.roundedCount == text) }
}
