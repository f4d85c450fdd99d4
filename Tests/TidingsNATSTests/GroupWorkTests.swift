import Dispatch
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct GroupWorkTests {
    /// Blocks the thread, as a job would.
    static func work(_ milliseconds: Int) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
    }

    enum Way: CaseIterable, Sendable { case inPost, task }

    @Test(arguments: Way.allCases, [false, true])
    func `four workers share 400 jobs of 50 ms equally, and each job runs once`(way: Way, isStored: Bool) async throws {
        let server = try ServerProcess()
        try await server.start()
        let count = 400
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        if isStored { for number in 0..<count { await shop.center.deliver(Tick(poster: 1, number: number)) } }
        let workers = try (1...4).map {
            try RelayedProgram(
                "worker-\($0)", server, [.durable(Tick.self, stream: "TICKS", group: "workers", from: .stored)])
        }
        let runs = ReceivedValues<(worker: Int, number: Int)>()
        let tokens = workers.enumerated().map { index, worker in
            switch way {
            case .inPost:
                worker.center.addObserver(for: Tick.self) { note in
                    Self.work(50)
                    runs.append((index, note.number))
                }
            case .task:
                worker.center.addObserver(on: .task, for: Tick.self) { note in
                    await onOwnThread { Self.work(50) }
                    runs.append((index, note.number))
                }
            }
        }
        for worker in workers { await worker.relay.waitUntilReady() }
        let began = ContinuousClock.now
        if !isStored { for number in 0..<count { shop.center.post(Tick(poster: 1, number: number)) } }
        await runs.wait(for: count)
        #expect(await workers[0].relay.catchUp(within: .seconds(600)))
        let took = began.duration(to: .now)
        for program in workers + [shop] { await program.stop() }
        let shares = workers.indices.map { index in runs.values.count { $0.worker == index } }
        print("\(way) \(isStored): \(runs.count) runs in \(took), shares \(shares)")
        #expect(runs.count == count && Set(runs.values.map(\.number)).count == count)
        for share in shares { #expect((80...120).contains(share), "\(shares)") }
        for program in workers + [shop] { #expect(program.faults.values == []) }
        withExtendedLifetime(tokens) {}
    }

    @Test func `notifications that wait behind a slow observer are delivered once and in order`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")]) {
            $0.acknowledgementTime = .seconds(3)
        }
        let token = office.center.addObserver(for: Tick.self) { _ in Self.work(10) }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        for number in 0..<1000 { shop.center.post(Tick(poster: 1, number: number)) }
        // Handling all notifications takes more than three times the acknowledgement time.
        await office.received.wait(for: 1000)
        #expect(await office.relay.catchUp(within: .seconds(60)))
        let name = try #require(office.relay.receiver.routes.first?.reading?.consumer.name)
        let given = try await office.ask("CONSUMER.INFO.TICKS.\(name)")?.object("delivered")?.number("consumer_seq")
        print("ungrouped: \(given ?? -1) deliveries of 1000")
        #expect(given == 1000)
        await office.stop()
        await shop.stop()
        #expect(office.received.values.map(\.number) == Array(0..<1000))
        #expect(office.faults.values == [])
        withExtendedLifetime(token) {}
    }

    @Test(arguments: ["workers", nil] as [String?])
    func `a worker that is stopping returns its waiting jobs to the server before its running job ends`(group: String?)
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let route = RelayRoute.durable(Tick.self, .incoming, stream: "TICKS", group: group, from: .stored).consuming {
            ($0.inProgressLimit, $0.prefetchLimit) = (1, 10)
        }
        func worker() throws -> RelayedProgram { try RelayedProgram("worker", server, [route]) }
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<11 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        let first = try worker()
        let gate = Gate()
        let token = first.center.addObserver(on: .task, for: Tick.self) { _ in await gate.wait() }
        await first.received.wait(for: 1)
        let reader = try #require(first.relay.receiver.routes.first?.reading?.reader)
        await eventually(
            "the reader has eleven notifications", { reader.update({ $0.fetched.count }) }, until: { $0 >= 11 })
        async let stopped: Void = first.stop()
        await eventually(
            "the reader has at most one notification", { reader.update({ $0.fetched.count }) }, until: { $0 <= 1 })
        gate.open()
        await stopped
        let second = try worker()
        await second.received.wait(for: 10)
        await second.stop()
        #expect(first.received.values.map(\.number) == [0])
        #expect(second.received.values.map(\.number) == Array(1...10))
        await shop.stop()
        withExtendedLifetime(token) {}
    }
}
