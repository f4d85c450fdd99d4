import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsInspector

@Suite(.timeLimit(.minutes(2))) struct LookTests {
    private let clock = ManualClock()
    private let center = NativeNotificationCenter()

    @Test func `even without a monitor, an observer is listed with its type, place, delivery and owner`()
        async throws
    {
        let inspector = Inspector(of: center)
        let relayer = Relayer(center)
        center.addObserver(relayer, on: .actor, for: Ping.self) { relayer, _ in relayer.relay() }
        let line = #line - 1
        let seen = try #require(inspector.snapshot().observers.first)
        #expect(seen.type == "TidingsInspectorTests.Ping")
        #expect(seen.place == "TidingsInspectorTests/LookTests.swift:\(line)")
        #expect(seen.delivery == "in an actor")
        #expect(seen.owner?.hasPrefix("Relayer (0x") == true)
        #expect(seen.center == "center")
        #expect(seen.id == "\(try #require(center.observations.first).id)")
        #expect(seen.since == nil)
        #expect(!center.monitoring.isActive)
        withExtendedLifetime(relayer) {}
    }

    @Test func `a snapshot's counts equal the center's, and its rates are measured since the previous snapshot`() {
        let inspector = Inspector(of: center, clock: clock)
        let token = center.addObserver(for: Ping.self) { _ in }
        center.post(Ping())
        let first = inspector.snapshot()
        #expect(first.totals.posts == 1)
        #expect(first.totals.postsPerSecond == nil)
        clock.advance(by: .seconds(2))
        for _ in 0..<100 { center.post(Ping()) }
        let second = inspector.snapshot()
        #expect(second.time - first.time == 2)
        #expect(second.totals.posts == 101)
        #expect(second.totals.postsPerSecond == 50)
        #expect(second.types.map(\.deliveriesPerSecond) == [50])
        #expect(second.types.map(\.observers) == [1])
        token.cancel()
    }

    @Test func `no rate is negative when an inspector stops or restarts counting a bus's messages`() {
        let bus = MessageBus<AppMessage>()
        let inspector = Inspector(of: bus, clock: clock)
        let consumer = Consumer()
        bus.add(consumer)
        inspector.measure(.count)
        for _ in 0..<100 { bus.dispatch(.opened) }
        #expect(inspector.snapshot().totals.posts == 100)
        inspector.measure(.look)
        clock.advance(by: .seconds(2))
        let looked = inspector.snapshot()
        #expect(looked.totals.posts == 0 && looked.totals.postsPerSecond == 0)
        inspector.measure(.count)
        clock.advance(by: .seconds(2))
        let counted = inspector.snapshot()
        #expect(counted.types.map(\.posts) == [0] && counted.types.map(\.postsPerSecond) == [0])
        withExtendedLifetime(consumer) {}
    }

    @Test func `the growth of a long queue is shown, and its warning recovers when the queue is empty`() async throws {
        let inspector = Inspector(of: center, clock: clock)
        let sequence = center.notifications(of: Ping.self)
        _ = inspector.snapshot()
        for number in 0..<1001 { center.post(Ping(number: number)) }
        clock.advance(by: .seconds(1))
        let long = inspector.snapshot()
        #expect(long.observers.map(\.waiting) == [1001])
        #expect(long.observers.map(\.growth) == [1001])
        #expect(long.totals.waiting == 1001)
        #expect(long.warnings.map(\.kind) == [.longQueue])
        #expect(long.warnings.map(\.recovered) == [nil])
        #expect(long.warnings.first?.observer == long.observers.first?.id)

        var iterator = sequence.makeAsyncIterator()
        while await iterator.next()?.number != 1000 {}
        clock.advance(by: .seconds(1))
        let recovered = inspector.snapshot()
        #expect(recovered.warnings.map(\.id) == long.warnings.map(\.id))
        #expect(recovered.warnings.map(\.recovered) == [recovered.time])
    }

    @Test func `drops are shown, and their warning is marked as recovered after three seconds without drops`() {
        let inspector = Inspector(of: center, clock: clock)
        let sequence = center.notifications(of: Ping.self, buffering: .oldest(1))
        _ = inspector.snapshot()
        for _ in 0..<4 { center.post(Ping()) }
        clock.advance(by: .seconds(1))
        let dropping = inspector.snapshot()
        #expect(dropping.observers.map(\.dropped) == [3])
        #expect(dropping.observers.map(\.droppedPerSecond) == [3])
        #expect(dropping.totals.drops == 3)
        #expect(dropping.warnings.map(\.kind) == [.drops])
        #expect(dropping.warnings.map(\.recovered) == [nil])
        clock.advance(by: .seconds(2))
        #expect(inspector.snapshot().warnings.map(\.recovered) == [nil])
        clock.advance(by: .seconds(1))
        let calm = inspector.snapshot()
        #expect(calm.warnings.map(\.recovered) == [calm.time])
        withExtendedLifetime(sequence) {}
    }

    @Test func `an ended observer is listed, with the reason for its end if the center records reasons`() {
        let keeping = NativeNotificationCenter(keepsEnded: true)
        let inspector = Inspector(of: center, Inspected(keeping, named: "keeping"))
        let tokens = [center.addObserver(for: Ping.self) { _ in }, keeping.addObserver(for: Pong.self) { _ in }]
        #expect(inspector.snapshot().ended.isEmpty)
        for token in tokens { token.cancel() }
        let ended = inspector.snapshot().ended
        #expect(
            Set(ended.map { "\($0.center): \($0.reason ?? "unknown")" }) == ["center: unknown", "keeping: cancelled"])
        // Each ended observer is listed once.
        #expect(inspector.snapshot().ended == ended)
    }

    @Test func `consumers of a bus are listed as observers, and the bus is listed with their number`() async throws {
        let bus = MessageBus<AppMessage>()
        #expect(Inspected(bus).name == "TidingsInspectorTests.AppMessage")
        let inspector = Inspector(of: center, Inspected(bus, named: "messages"))
        let consumer = Consumer()
        bus.add(consumer)
        let snapshot = inspector.snapshot()
        #expect(
            snapshot.buses == [
                InspectorSnapshot.Bus(
                    name: "messages", messages: "TidingsInspectorTests.AppMessage", consumers: 1, running: 0, waiting: 0
                )
            ])
        let row = try #require(snapshot.observers.first)
        #expect(row.center == "messages")
        #expect(row.owner?.hasPrefix("Consumer (0x") == true)
        #expect(row.delivery == "in an actor")
    }

    @Test func `an inspector lists a relay with the lag of its routes, and doesn't keep the relay alive`() throws {
        final class Relay: LagReporter {
            let lag = LagReport(
                name: "shop\n", isConnected: true, outgoing: 3, outgoingBytes: 60,
                routes: [
                    LagReport.Route(
                        notification: "orders.placed", stream: "ORDERS", group: "printers", waiting: 5, inProgress: 4,
                        redelivered: 2, deadLetters: 1, oldestAge: .milliseconds(1500))
                ], error: "no")
        }
        #expect(Inspector(of: center).snapshot().relays == nil)
        var relay: Relay? = Relay()
        let inspector = Inspector(of: center, Inspected(try #require(relay)))
        let route = InspectorSnapshot.Route(
            notification: "orders.placed", stream: "ORDERS", group: "printers", waiting: 5, inProgress: 4,
            redelivered: 2, deadLetters: 1, oldestAge: 1.5)
        let row = InspectorSnapshot.Relay(
            name: "shop\\n", connected: true, outgoing: 3, outgoingBytes: 60, routes: [route], error: "no")
        #expect(inspector.snapshot().relays == [row])
        relay = nil
        #expect(inspector.snapshot().relays == nil)
    }

    @Test func `a forwarding center can be inspected, and an inspector doesn't keep its center alive`() {
        let forwarding = ForwardingCenter(to: center)
        let inspector = Inspector(of: forwarding)
        let token = forwarding.addObserver(for: Ping.self) { _ in }
        #expect(inspector.snapshot().observers.count == 1)
        token.cancel()

        weak var gone: NativeNotificationCenter?
        let of: Inspector
        do {
            let center = NativeNotificationCenter()
            gone = center
            of = Inspector(of: center)
            #expect(of.snapshot().observers.isEmpty)
        }
        #expect(gone == nil)
        #expect(of.snapshot().types.isEmpty)
    }

    @Test func `rows are sorted, filtered and limited as the query requests, and omitted rows are counted`() {
        let inspector = Inspector(of: center)
        let sequences = (center.notifications(of: Ping.self), center.notifications(of: Ping.self))
        let token = center.addObserver(for: Pong.self) { _ in }
        center.post(Ping())
        let byWaiting = inspector.snapshot(Inspector.Selection(limit: 2))
        #expect(byWaiting.observers.map(\.waiting) == [1, 1])
        #expect(byWaiting.omitted.observers == 1)
        #expect(byWaiting.totals.observers == 3)
        let byType = inspector.snapshot(Inspector.Selection(sortedBy: .type, isDescending: true))
        #expect(byType.observers.first?.type == "TidingsInspectorTests.Pong")
        let filtered = inspector.snapshot(Inspector.Selection(filter: "PONG"))
        #expect(filtered.observers.map(\.delivery) == ["in the post"])
        #expect(filtered.types.map(\.name) == ["TidingsInspectorTests.Pong"])
        #expect(filtered.omitted == InspectorSnapshot.Omitted(types: 1, observers: 2, posts: 0))
        for key in Inspector.Selection.Key.allCases {
            #expect(inspector.snapshot(Inspector.Selection(sortedBy: key)).observers.count == 3)
        }
        token.cancel()
        withExtendedLifetime(sequences) {}
    }

    @Test func `limit and filter of a selection may be set to any value`() {
        let inspector = Inspector(of: center)
        let tokens = [center.addObserver(for: Ping.self) { _ in }, center.addObserver(for: Pong.self) { _ in }]
        var selection = Inspector.Selection()
        selection.limit = -1
        #expect(inspector.snapshot(selection).observers.isEmpty)
        selection.limit = .max
        selection.filter = "PONG"
        #expect(inspector.snapshot(selection).observers.map(\.type) == ["TidingsInspectorTests.Pong"])
        for token in tokens { token.cancel() }
    }
}
