import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// Tests of connections to a real server, and to a fake one that behaves unlike any real server.
@Suite(.timeLimit(.ofServers)) struct LinkTests {
    private func attempt(
        _ server: NATSServer, _ report: @escaping @Sendable (LinkEvent) -> Void = { _ in }
    ) async throws(RelayFault) -> any Link {
        try await NATSConnector(server: server, name: "test").connect(report)
    }

    @Test func `a message larger than all buffers arrives complete, and in order with small messages`() async throws {
        let server = try ServerProcess([], configuration: "max_payload: 8000000\n")
        try await server.start()
        let (from, to) = (try await connect(server), try await connect(server))
        let received = ReceivedValues<RelayMessage>()
        let subscription = try to.subscribe("sizes.*", group: nil) { received.append($0) }
        #expect(await to.flush())
        let sizes = [0, 1, 65_000, 65_536, 1, 65_537, 7_000_000, 3, 200_000, 0]
        for (number, size) in sizes.enumerated() {
            let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
            let headers: [RelayMessage.Header] = number.isMultiple(of: 2) ? [.init("n", "\(number)")] : []
            #expect(from.publish(RelayMessage("sizes.\(number)", headers: headers, bytes: body)) == .accepted)
        }
        await received.wait(for: sizes.count)
        for (number, (message, size)) in zip(received.values, sizes).enumerated() {
            #expect(message.subject == "sizes.\(number)" && message.bytes.count == size)
            #expect(message.header("n") == (number.isMultiple(of: 2) ? "\(number)" : nil))
            #expect(message.bytes.last == (size == 0 ? nil : UInt8(truncatingIfNeeded: (size - 1) &* 31 &+ number)))
        }
        // The messages may arrive before the writing thread has updated the backlog.
        await eventually("the link has sent everything", { from.backlog }, until: { $0 == 0 })
        withExtendedLifetime(subscription) {}
    }

    @Test func `a slow observer holds up neither another subscription nor sending`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let link = try await connect(server)
        let other = try await connect(server)
        let (held, gate) = (Gate(), Gate())
        let received = ReceivedValues<String>()
        let subscriptions = [
            try link.subscribe("slow", group: nil) { _ in
                held.open()
                gate.wait(patience: .seconds(3600))
            },
            try link.subscribe("quick", group: nil) { message in
                received.append(message.lastPart.description)
                _ = link.publish(RelayMessage("answer"))
            },
            try other.subscribe("answer", group: nil) { received.append($0.subject) },
        ]
        #expect(await link.flush())
        #expect(await other.flush())
        _ = other.publish(RelayMessage("slow"))
        await held.wait()
        _ = other.publish(RelayMessage("quick"))
        await received.wait(for: 2)
        #expect(received.values == ["quick", "answer"])
        gate.open()
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `if one of two subscriptions to a subject has ended, only the other subscription receives messages`()
        async throws
    {
        let server = try ServerProcess([])
        try await server.start()
        let (from, to) = (try await connect(server), try await connect(server))
        let received = ReceivedValues<Int>()
        var first: (any AnyObject & Sendable)? = try to.subscribe("a", group: nil) { _ in received.append(1) }
        let second = try to.subscribe("a", group: nil) { _ in received.append(2) }
        #expect(await to.flush())
        withExtendedLifetime(first) {}
        first = nil
        _ = from.publish(RelayMessage("a"))
        await received.wait(for: 1)
        #expect(received.values == [2])
        withExtendedLifetime(second) {}
    }

    @Test func `when a link ends, waiting tasks resume, and no more messages are accepted`() async throws {
        let server = try FakeServer { connection, _ in
            connection.accept()
            connection.wait(for: "never")
        }
        let link = try await attempt(NATSServer(server.address))
        async let flushed = link.flush()
        _ = link.publish(RelayMessage("a"))
        link.close()
        await link.waitForEnd()
        #expect(await !flushed)
        // Until the thread of the connection has ended, published messages count as unsent. Afterwards, they aren't
        // accepted.
        await eventually("the link has ended", { link.publish(RelayMessage("a")) }, until: { $0 == .ended })
        #expect(await !link.flush())
        #expect { try link.subscribe("a", group: nil) { _ in } } throws: {
            ($0 as? RelayFault)?.kind == .connectionLost
        }
        withExtendedLifetime(server) {}
    }

    @Test func `transient messages that are queued when a connection ends are counted and reported as unsent`()
        async throws
    {
        let server = try ServerProcess([], configuration: "max_payload: 1000\n")
        try await server.start()
        let (begun, queued) = (Gate(), Gate())
        let link = Lock<(any Link)?>(nil)
        let (refused, unsent) = (ReceivedValues<String>(), ReceivedValues<Int>())
        let attempt = try await attempt(server.way) { event in
            switch event {
            case .unsentTransients(let count): unsent.append(count)
            case .unsent(let message, .tooLarge) where message.subject == "first":
                begun.open()
                queued.wait(patience: .seconds(300))
            case .unsent(let message, .tooLarge):
                refused.append(message.subject)
                // Blocks the thread that passes messages to the client. The connection ends in the meantime.
                let (link, ended) = (link.withLock { $0 }, Gate())
                link?.close()
                Task {
                    await link?.waitForEnd()
                    ended.open()
                }
                ended.wait(patience: .seconds(300))
            default: break
            }
        }
        link.withLock { $0 = attempt }
        let large = [UInt8](repeating: 0, count: 2000)
        _ = attempt.publish(RelayMessage("first", bytes: large))
        await begun.wait()
        // The client takes these messages together, in one batch.
        _ = attempt.publish(RelayMessage("second", bytes: large))
        for _ in 0..<10 { #expect(attempt.publish(RelayMessage("transient")) == .accepted) }
        #expect(attempt.publish(RelayMessage("durable", reply: "stored")) == .accepted)
        queued.open()
        await unsent.wait(for: 1)
        #expect(refused.values == ["second"])
        #expect(unsent.values == [10])
        link.withLock { $0 = nil }
    }

    @Test func `received messages that are still undelivered when a connection is lost are dropped`()
        async throws
    {
        final class Sign: Sendable {
            let gone: Gate
            init(_ gone: Gate) { self.gone = gone }
            deinit { gone.open() }
        }
        let (held, gate, gone) = (Gate(), Gate(), Gate())
        let server = try FakeServer { connection, _ in
            connection.accept()
            connection.wait(for: "SUB")
            connection.send("MSG a 1 1\r\n1\r\nMSG a 1 1\r\n2\r\n")
            held.wait(patience: .seconds(3600))
        }
        let received = ReceivedValues<String>()
        func lose() async throws {
            let link = try await attempt(NATSServer(server.address))
            let sign = Sign(gone)
            let subscription = try link.subscribe("a", group: nil) { message in
                received.append(String(decoding: message.body, as: UTF8.self))
                held.open()
                gate.wait(patience: .seconds(3600))
                withExtendedLifetime(sign) {}
            }
            await link.waitForEnd()
            withExtendedLifetime(subscription) {}
        }
        try await lose()
        gate.open()
        // Wait until the subscription's closure is deallocated. After that, no thread delivers messages.
        await gone.wait()
        #expect(received.values == ["1"])
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n\r\n", "INFO no JSON\r\n", "PING\r\n", "INFO {\"max_payload\":1}\r\n", "",
        "INFO {\"headers\":true,\"proto\":1}\r\n-ERR 'Maximum Connections Exceeded'\r\n",
    ])
    func `connecting to a peer that isn't a server, or accepts no clients, throws a fault with the reason`(
        _ greeting: String
    )
        async throws
    {
        let server = try FakeServer { connection, _ in connection.send(greeting) }
        let fault = await #expect(throws: RelayFault.self) { try await attempt(NATSServer(server.address)) }
        #expect(fault?.kind == .cannotConnect)
        #expect(fault?.detail.hasPrefix(server.address + ": ") == true && (fault?.detail.count ?? 0) > 40)
        withExtendedLifetime(server) {}
    }

    @Test func `an attempt to connect to a silent server times out`() async throws {
        let server = try FakeServer { connection, _ in connection.wait(for: "never") }
        let fault = await #expect(throws: RelayFault.self) { try await attempt(NATSServer(server.address)) }
        #expect(fault?.detail.contains("Timeout") == true)
        withExtendedLifetime(server) {}
    }

    @Test func `a rejected login throws a fault that omits the password, and the next server is tried`()
        async throws
    {
        let strict = try FakeServer { connection, _ in
            connection.send("INFO {\"headers\":true,\"proto\":1}\r\n")
            connection.wait(for: "PING\r\n")
            connection.send("-ERR 'Authorization Violation'\r\n")
            connection.wait(for: "never")
        }
        let address = "nats://me:secret@127.0.0.1:\(strict.port)"
        let fault = await #expect(throws: RelayFault.self) { try await attempt(NATSServer(address)) }
        #expect(fault?.kind == .permissionDenied && fault?.detail.contains("secret") == false)
        let open = try FakeServer { connection, _ in
            connection.accept()
            connection.wait(for: "never")
        }
        #expect(try await attempt(NATSServer(address, open.address)).maximumPayload == 1000)
        withExtendedLifetime((strict, open)) {}
    }

    @Test func `the address can contain a user and a password`() async throws {
        let server = try ServerProcess(["--user", "me", "--pass", "a@b"])
        try await server.start()
        let link = try await connect(NATSServer("nats://me:a%40b@127.0.0.1:\(server.port)"))
        #expect(await link.flush())
    }

    @Test(arguments: ["no operation\r\n", "MSG a 1 99999999999\r\n", "MSG a 1 1 1 1 1 1\r\n"])
    func `an invalid protocol message is reported as a lost connection, and the relay connects again`(
        _ nonsense: String
    ) async throws {
        let server = try FakeServer { connection, number in
            connection.accept()
            guard connection.wait(for: "PING\r\n") else { return }
            connection.send("PONG\r\n")
            if number == 0 { connection.send(nonsense) }
            connection.wait(for: "never")
        }
        let shop = try RelayedProgram("shop", NATSServer(server.address), [.transient(Tick.self)])
        _ = await shop.fault(.connectionLost)
        await shop.relay.waitUntilReady()
        await shop.relay.finish(within: .zero)
        withExtendedLifetime(server) {}
    }

    @Test func `an error from the server is reported, and the connection continues`() async throws {
        let server = try FakeServer { connection, _ in
            connection.accept()
            connection.send("-ERR 'Permissions Violation for Subscription to \"a.*\"'\r\n")
            connection.send("INFO {\"max_payload\":77,\"headers\":true,\"proto\":1}\r\nPING\r\n")
            while connection.wait(for: "PING\r\n") { connection.send("PONG\r\n") }
        }
        let events = ReceivedValues<LinkEvent>()
        let link = try await attempt(NATSServer(server.address)) { events.append($0) }
        await events.wait(for: 1)
        guard case .permissionDenied("a.*", _)? = events.values.first else {
            Issue.record("the link reported \(events.values)")
            return
        }
        #expect(await link.flush())
        #expect(link.maximumPayload == 77)
        let large = RelayMessage("a", bytes: [UInt8](repeating: 0, count: 78))
        #expect(link.publish(large) == .accepted)
        await events.wait(for: 2)
        #expect(events.values.last == .unsent(large, .tooLarge))
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [
        "", "nats://", "nats://:4222", "a:0", "a:65536", "a:x", "ws://a", "http://a", "nats://[::1", "a:1:2",
    ])
    func `connecting to an invalid address throws a fault with a description`(_ text: String) async {
        let fault = await #expect(throws: RelayFault.self) { try await attempt(NATSServer(text)) }
        #expect(fault?.kind == .cannotConnect && fault?.detail.hasPrefix("\(text): ") == true)
    }
}
