import Foundation
import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct LagTests {
    private typealias Program = NotificationRelayTests.Program

    private static let printers = RelayRoute.durable(Tick.self, stream: "TICKS", group: "printers")
    private static let office = RelayRoute.durable(Placed.self, .incoming, stream: "ORDERS")

    /// Returns an answer about the consumers whose names contain `name`.
    private static func lag(_ name: String, waiting: Int, age seconds: Double = 0) -> StreamAnswers.Answer {
        { request, _ in
            if request.hasPrefix("CONSUMER.INFO"), request.contains(name) {
                return """
                    {"config":{},"num_pending":\(waiting),"num_ack_pending":2,"num_redelivered":1,
                    "ack_floor":{"stream_seq":7}}
                    """
            }
            if request.hasPrefix("STREAM.MSG.GET"), !request.hasSuffix("_NOTES") {
                let time = Date(timeIntervalSinceNow: -seconds).formatted(.iso8601)
                return #"{"message":{"subject":"a","seq":8,"time":"\#(time)"}}"#
            }
            return nil
        }
    }

    private func program(_ answers: StreamAnswers, _ routes: [RelayRoute], _ limits: RelayOptions.LagLimits) throws
        -> Program
    {
        try Program("office", answers.server, NativeNotificationCenter(), routes) {
            $0.lagInterval = .milliseconds(100)
            $0.lagLimits = limits
        }
    }

    @Test func `a route that is too far behind makes the relay unhealthy, and the problem names the route`()
        async throws
    {
        let answers = try await StreamAnswers(Self.lag("printers", waiting: 30, age: 3600))
        let office = try program(
            answers, [Self.printers, Self.office], RelayOptions.LagLimits(age: .seconds(60), waiting: 29))
        await eventually("there are two problems", { office.relay.health().problems.count }, until: { $0 == 2 })
        let problems = office.relay.health().problems
        #expect(problems.map(\.kind) == [.longWait, .longQueue] && office.relay.health().isAlive)
        #expect(
            problems[0].description.hasPrefix(
                "the oldest unhandled test.tick in the stream TICKS for printers was stored"))
        #expect(problems[0].description.hasSuffix(" ago, and the limit is 60.0 seconds"))
        #expect(
            problems[1].description
                == "the number of waiting test.tick in the stream TICKS for printers is 30, and the limit is 29")
        answers.change(Self.lag("printers", waiting: 29))
        await eventually("the relay is healthy") { office.relay.health().isWell }
        await office.stop()
    }

    @Test func `a route can have its own lag limits`() async throws {
        let answers = try await StreamAnswers(Self.lag("-", waiting: 30))
        let own = Self.office.consuming { $0.lagLimits = RelayOptions.LagLimits(waiting: 10) }
        let office = try program(answers, [Self.printers, own], RelayOptions.LagLimits(waiting: 1000))
        await eventually(
            "the queue is too long", { office.relay.health().problems.map(\.kind) }, until: { $0 == [.longQueue] })
        #expect(office.relay.health().description.contains("orders.placed in the stream ORDERS for office"))
        await office.stop()
    }

    @Test func `a server that doesn't report the lag makes the relay unhealthy`() async throws {
        let answers = try await StreamAnswers { _, _ in nil }
        let office = try program(answers, [Self.printers], RelayOptions.LagLimits(waiting: 10))
        await eventually("the lag is known") { !office.relay.lagging.known.routes.isEmpty }
        #expect(office.relay.health().isWell)
        answers.change { request, _ in
            request.hasPrefix("CONSUMER.INFO") ? #"{"error":{"code":500,"description":"not now"}}"# : nil
        }
        // On a slow machine, the relay may be reconnecting, which is a different problem.
        var health = office.relay.health()
        await eventually("the health reports the failed query") {
            health = office.relay.health()
            return health.problems.map(\.kind) == [.failingStore]
        }
        let words = "the server did not report how far behind the routes of the relay office are"
        #expect(health.description.hasPrefix(words) && health.description.contains("not now"))
        answers.change { _, _ in nil }
        await eventually("the relay is healthy") { office.relay.health().isWell }
        await office.stop()
    }

    @Test func `without limits, the server isn't queried until the program reads the lag`() async throws {
        let answers = try await StreamAnswers(Self.lag("-", waiting: 3))
        let office = try program(answers, [Self.office], RelayOptions.LagLimits())
        await office.relay.waitUntilReady()
        let ready = ContinuousClock.now
        // Meanwhile, the relay's timer fires several times.
        while ContinuousClock.now - ready < .milliseconds(500) { await Task.yield() }
        #expect(office.relay.lagging.known.routes.isEmpty && office.relay.health().isWell)
        await eventually("the lag is known") { !office.relay.lag.routes.isEmpty }
        #expect(office.relay.lag.routes[0].waiting == 3 && office.relay.lag.routes[0].redelivered == 1)
        #expect(office.relay.lag.isConnected && office.relay.lag.error == nil)
        await office.stop()
        #expect(!office.relay.lag.isConnected && office.relay.lag.routes[0].waiting == 3)
    }

    @Test func `a relay that ends makes its last lag report at once, even if no report is due`() async throws {
        let answers = try await StreamAnswers(Self.lag("-", waiting: 3))
        let office = try Program("office", answers.server, NativeNotificationCenter(), [Self.office]) {
            $0.lagInterval = .seconds(3600)
        }
        let reports = ReceivedValues<LagReport>()
        office.relay.lagging.tell { reports.append($0) }
        await eventually(
            "a report contains the route", { reports.values.last },
            until: { $0?.isConnected == true && $0?.routes.isEmpty == false })
        await office.stop()
        #expect(reports.values.last?.isConnected == false && reports.values.last?.routes.map(\.waiting) == [3])
    }

    @Test func `the partitions of a route are one route in the lag report and separate routes in the status`()
        async throws
    {
        let answers = try await StreamAnswers(Self.lag("printers", waiting: 5, age: 60))
        let route = RelayRoute.durable(
            Tick.self, stream: "TICKS", group: "printers", ordered: .by(\.number, partitions: 4))
        let office = try program(answers, [route, Self.office], RelayOptions.LagLimits(waiting: 1000))
        await eventually("the lag is known") { !office.relay.lag.routes.isEmpty }
        let routes = office.relay.lag.routes
        let status = try await office.relay.status()
        // One more consumer reads messages that were posted without a partition.
        #expect(status.routes.count == 6 && Set(status.routes.map(\.consumer)).count == 6)
        #expect(status.routes.map(\.group) == Array(repeating: "printers", count: 5) + ["office"])
        #expect(routes.map(\.group) == ["printers", "office"])
        #expect(routes.map(\.waiting) == [25, 0] && routes.map(\.inProgress) == [10, 0])
        #expect(routes[0].oldestAge.map { $0 >= .seconds(60) } == true && routes[1].oldestAge == nil)
        await office.stop()
    }

    @Test func `lag queries keep the requested interval, run one at a time, and start at once on a new connection`() {
        var watch = LagWatch()
        func begin(_ seconds: Double, isConnected: Bool = true) -> Bool {
            watch.begin(isAlwaysWanted: false, isConnected: isConnected, every: .seconds(10), at: .seconds(seconds))
        }
        #expect(!begin(0))
        watch.want(until: .seconds(60))
        #expect(begin(1) && !begin(12))
        watch.end(.success([]))
        #expect(begin(12))
        watch.end(.failure(RelayFault(.rejected, "no")))
        #expect(watch.routes == [] && watch.error != nil)
        #expect(!begin(13, isConnected: false) && begin(22, isConnected: false))
        watch.end(nil)
        #expect(watch.error == nil && begin(23))
        watch.end(.success([]))
        // This interruption ends before the next query is due.
        #expect(!begin(24) && !begin(25, isConnected: false) && begin(26))
        watch.end(.success([]))
        #expect(!begin(27) && !begin(60))
    }
}
