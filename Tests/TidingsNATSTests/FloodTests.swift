import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import RelaySoak
@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct FloodTests {
    struct Page: RemoteNotification {
        static let wireName = "test.page"
        let text: String
        static let full = Page(text: String(repeating: "a", count: 10_000))
    }

    @Test func `notifications that wait for a slow observer are limited in bytes, and each loss is reported`()
        async throws
    {
        let server = try ServerProcess([])
        try await server.start()
        var slow = NATSServer(server.address)
        slow.pendingByteLimit = 1 << 20
        let office = try RelayedProgram(
            "office", slow, [.transient(Page.self, .incoming), .transient(Tick.self, .incoming)])
        let (held, gate, heard) = (Gate(), Gate(), ReceivedValues<Int>())
        let token = office.center.addObserver(for: Page.self) { page in
            held.open()
            gate.wait(patience: .seconds(600))
            heard.append(page.text.utf8.count)
        }
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram(
            "shop", server, [.transient(Page.self, .outgoing), .transient(Tick.self, .outgoing)])
        await shop.relay.waitUntilReady()
        for _ in 0..<2000 { shop.center.post(Page.full) }
        await held.wait()
        // The tick is posted last. When it arrives, the office's connection has received or dropped each page.
        shop.center.post(Tick(poster: 1, number: 1))
        await office.received.wait(for: 1)
        gate.open()
        await eventually(
            "every notification is received or reported as lost", { heard.count + office.told(.slowConsumer) },
            until: { $0 >= 2000 })
        print("\(heard.count) of 2,000 pages were received, and \(office.told(.slowConsumer)) were reported as lost")
        #expect(heard.count + office.told(.slowConsumer) == 2000 && heard.count < 200)
        #expect(office.faults.values.first { $0.kind == .slowConsumer }?.type == "test.page.*")
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `while the server is suspended, the first loss is reported, and later faults count the other losses`()
        async throws
    {
        let server = try ServerProcess([])
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.transient(Page.self, .outgoing)]) {
            $0.backlogLimit = 1 << 20
            // A kind of fault is reported at most once a second. This clock stands still, so no second report is due.
            $0.clock = ManualClock()
        }
        await shop.relay.waitUntilReady()
        server.signal(SIGSTOP)
        for _ in 0..<20_000 { shop.center.post(Page.full) }
        let number = shop.faults.count
        server.signal(SIGCONT)
        await shop.stop()
        let lost = shop.told(.sendBufferFull)
        print("\(number) faults during 20,000 posts, and \(lost) notifications were lost")
        #expect(number == 1 && lost > 19_000)
    }

    @Test func `a relay without a server keeps no more bytes than its limits allow`() throws {
        let shop = try RelayedProgram(
            "shop", NATSServer("nats://127.0.0.1:\(try freePort())"),
            [.durable(Page.self, .outgoing, stream: "PAGES"), .transient(Tick.self, .outgoing)]
        ) { options in
            options.sendBufferByteLimit = 1 << 20
            options.transientByteLimit = 10_000
        }
        for number in 0..<1000 {
            shop.center.post(Page.full)
            shop.center.post(Tick(poster: 1, number: number))
        }
        #expect((90...105).contains(shop.relay.unsentCount))
        #expect(shop.relay.sender.buffer.update { $0.bytes } <= 1 << 20)
        let waiting = shop.relay.sender.transients.withLock { $0.takeWaiting() }
        #expect((20...60).contains(waiting.count))
    }
}

extension RelayedProgram {
    func told(_ kind: RelayFault.Kind) -> Int { faults.values.filter { $0.kind == kind }.reduce(0) { $0 + $1.count } }
}
