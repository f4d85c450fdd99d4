import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct LostProgramTests {
    @Test(arguments: [nil, "workers"] as [String?], [false, true])
    func `a notification that crashes the receiving program in each delivery becomes a dead letter`(
        group: String?, isEncrypted: Bool
    ) async throws {
        let server = try ServerProcess(isEncrypted: isEncrypted)
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        let count = 40
        for number in 0..<count { await shop.center.deliver(Tick(poster: 1, number: number)) }
        var lines: [String] = []
        let all = Set((0..<count).map { "\($0)" })
        while true {
            try Task.checkCancellation()
            let probe = try RelayProbe(["crash", server.probeAddress, "5"] + (group.map { [$0] } ?? []))
            // The program crashes at number 5, or stores it as a dead letter and continues until the last notification.
            let before = lines
            await probe.wait { new in
                new.contains { $0.hasPrefix("deadLetter") } && all.isSubset(of: before + new)
            }
            lines += probe.lines
            if probe.lines.contains(where: { $0.hasPrefix("deadLetter") }) {
                await probe.kill9()
                break
            }
        }
        // Two retries are allowed, so a call in the third or a later delivery is the last call. Usually there are three
        // calls. There are fewer if the program stalls for half a second, because the server then counts a delivery
        // that makes no call.
        let deliveries = lines.compactMap { $0.hasPrefix("delivery ") ? Int($0.dropFirst(9)) : nil }
        print("the observer was called in the deliveries \(deliveries)")
        #expect(deliveries.count == lines.count { $0 == "5" } && (1...3).contains(deliveries.count))
        #expect(zip(deliveries, deliveries.dropFirst()).allSatisfy { $0 < $1 })
        #expect(deliveries.count { $0 > 2 } == 1, "\(deliveries)")
        #expect(lines.count { $0.hasPrefix("programLost") } == 1 && lines.count { $0.hasPrefix("deadLetter") } == 1)
        // No notification that was fetched together with number 5 becomes a dead letter, and none is lost.
        #expect(Set(lines.compactMap { Int($0) }) == Set(0..<count))
        let letters = try await shop.relay.deadLetters(of: "TICKS")
        #expect(letters.map(\.sequence) == [6] && letters.first?.reason.hasPrefix("programLost") == true)
        await shop.stop()
    }

    @Test func `even after a long wait, a notification is retried with the delays of its route`() async throws {
        struct Failed: Error {}
        let server = try ServerProcess()
        try await server.start()
        let route = RelayRoute.durable(Tick.self, .incoming, stream: "TICKS").consuming {
            $0.retryPolicy = [.milliseconds(300), .milliseconds(600), .milliseconds(900)]
        }
        let office = try RelayedProgram("office", server, [route]) { $0.acknowledgementTime = .seconds(2) }
        let times = ReceivedValues<ContinuousClock.Instant>()
        let token = office.center.addObserver(on: .task, for: Tick.self) { note in
            if note.number == 0 { return }
            times.append(.now)
            throw Failed()
        }
        // The first notification delays the second one by three times the acknowledgement time.
        let slow = office.center.addObserver(for: Tick.self) { if $0.number == 0 { GroupWorkTests.work(6000) } }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        for number in 0...1 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        _ = await office.fault(.deadLetter)
        let waits = zip(times.values, times.values.dropFirst()).map { $0.duration(to: $1) }
        print("retried after \(waits)")
        // A retry is never early, because the relay returns a message that the server redelivers too early. It may be
        // late on a slow machine.
        #expect(waits.count == 3)
        for (wait, delay) in zip(waits, [300, 600, 900]) { #expect(wait >= .milliseconds(delay), "\(waits)") }
        await office.stop()
        await shop.stop()
        withExtendedLifetime((token, slow)) {}
    }

    @Test func `a route takes no messages before its type has an observer`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<1000 { shop.center.post(Tick(poster: 1, number: number)) }
        let center = NativeNotificationCenter()
        let relay = try NotificationRelay(
            center, to: NATSServer(server.address), as: "office",
            routes: [.durable(Tick.self, .both, stream: "TICKS", from: .stored)])
        let faults = ReceivedValues<RelayFault>()
        var tokens = [center.addObserver(for: RelayFault.self) { faults.append($0) }]
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        // Each call of `deliver` waits for the server, so a faulty route would have time to take messages too early.
        for number in 1000..<1300 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        let received = ReceivedValues<Int>()
        let first = center.addObserver(for: Tick.self) { received.append($0.number) }
        await received.wait(for: 1300)
        #expect(received.values == Array(0..<1300) && faults.values == [])
        // Without an observer of the type, new messages are kept, and this is reported once.
        first.cancel()
        for number in 1300..<1400 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await faults.wait(for: 1)
        tokens.append(
            center.addObserver(for: RelayedNotification<Tick>.self) { received.append($0.notification.number) })
        await received.wait(for: 1400)
        #expect(received.values == Array(0..<1400))
        #expect(faults.values.map(\.kind) == [.unobserved])
        await relay.finish()
        await running.value
        await shop.stop()
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: [false, true])
    func `a group member without observers leaves the work to other members`(isDurable: Bool) async throws {
        let server = try ServerProcess()
        try await server.start()
        let route: RelayRoute =
            isDurable
            ? .durable(Tick.self, stream: "TICKS", group: "workers", from: .stored)
            : .transient(Tick.self, group: "workers")
        let center = NativeNotificationCenter()
        let idle = try NotificationRelay(center, to: NATSServer(server.address), as: "idle", routes: [route])
        let faults = ReceivedValues<RelayFault>()
        let token = center.addObserver(for: RelayFault.self) { faults.append($0) }
        let running = Task { await idle.run() }
        await idle.waitUntilReady()
        let worker = try RelayedProgram("worker", server, [route])
        await worker.relay.waitUntilReady()
        let shop = try RelayedProgram(
            "shop", server,
            [isDurable ? .durable(Tick.self, .outgoing, stream: "TICKS") : .transient(Tick.self, .outgoing)])
        await shop.relay.waitUntilReady()
        for number in 0..<100 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await worker.received.wait(for: 100)
        #expect(worker.received.values.map(\.number) == Array(0..<100))
        // Once the member observes the type, it gets its share.
        let received = ReceivedValues<Int>()
        let observing = center.addObserver(for: Tick.self) { received.append($0.number) }
        var number = 100
        while received.count == 0 {
            await shop.center.deliver(Tick(poster: 1, number: number))
            number += 1
        }
        await idle.finish()
        await running.value
        observing.cancel()
        #expect(faults.values == [])
        await worker.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }
}
