import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct DeliveryTests {
    struct Failed: Error {}

    private func programs(
        _ change: (inout RelayOptions) -> Void = { _ in }
    ) async throws -> (server: ServerProcess, shop: RelayedProgram, office: RelayedProgram) {
        let server = try ServerProcess()
        try await server.start()
        let office = try RelayedProgram(
            "office", server, [.durable(Tick.self, .incoming, stream: "TICKS")], change: change)
        await office.relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        return (server, shop, office)
    }

    @Test func `a notification is redelivered if an observer throws, and its delivery count increases`() async throws {
        let (server, shop, office) = try await programs { $0.retryPolicy = [.milliseconds(50), .milliseconds(50)] }
        let counts = ReceivedValues<Int>()
        let tokens = [
            office.center.addObserver(for: RelayedNotification<Tick>.self) { counts.append($0.origin.deliveryCount) },
            office.center.addObserver(on: .task, for: Tick.self) { _ in if counts.count < 3 { throw Failed() } },
        ]
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await counts.wait(for: 3)
        #expect(counts.values == [1, 2, 3])
        await office.stop()
        #expect(office.faults.values.map(\.kind) == [.observerFailed, .observerFailed])
        await shop.stop()
        withExtendedLifetime((server, tokens)) {}
    }

    @Test func `a notification that fails too often becomes a dead letter`() async throws {
        let (server, shop, office) = try await programs { $0.retryPolicy = [.milliseconds(20)] }
        let token = office.center.addObserver(for: RelayedNotification<Tick>.self) {
            if $0.notification.number == 1 { $0.retry() }
        }
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await shop.center.deliver(Tick(poster: 1, number: 2))
        let fault = await office.fault(.deadLetter)
        #expect(fault.detail.contains("tidings-dead.TICKS.office-test_tick"))
        await office.stop()
        #expect(office.received.values.map(\.number).sorted() == [1, 1, 2])
        // The letter is still a CloudEvent, with the reason in its headers.
        let letters = ReceivedValues<RelayMessage>()
        let reader = try await connect(server)
        let subscription = try reader.subscribe("answers", group: nil) { letters.append($0) }
        _ = reader.publish(
            RelayMessage(
                "$JS.API.STREAM.MSG.GET.TICKS_DEAD", reply: "answers",
                text: #"{"last_by_subj":"tidings-dead.TICKS.office-test_tick"}"#))
        await letters.wait(for: 1)
        let letter = String(decoding: letters.values[0].body, as: UTF8.self)
        let message = try #require(JSONMembers(Data(letter.utf8)).object("message"))
        let headers = String(decoding: try #require(Data(base64Encoded: message.string("hdrs") ?? "")), as: UTF8.self)
        #expect(headers.contains("tidings-dead-reason: observerFailed") && headers.contains("tidings-dead-sequence: 1"))
        let body = try #require(Data(base64Encoded: message.string("data") ?? ""))
        #expect(try CloudEvent(RelayMessage("s", bytes: Array(body))).type == "test.tick.v1")
        reader.close()
        await shop.stop()
        withExtendedLifetime((token, subscription)) {}
    }

    @Test func `a notification without an observer is kept until its type is observed`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let center = NativeNotificationCenter()
        var options = RelayOptions(name: "office")
        // The retries continue until the type is observed.
        options.retryPolicy = RetryPolicy(Array(repeating: .milliseconds(50), count: 100_000))
        let relay = try NotificationRelay(
            center, to: NATSServer(server.address), options: options,
            routes: [.durable(Tick.self, .incoming, stream: "TICKS").consuming { $0.consumesUnobserved = true }])
        let faults = ReceivedValues<RelayFault>()
        var tokens = [center.addObserver(for: RelayFault.self) { faults.append($0) }]
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await faults.wait(for: 2)
        #expect(Set(faults.values.map(\.kind)) == [.unobserved])
        let received = ReceivedValues<Tick>()
        tokens.append(center.addObserver(for: Tick.self) { received.append($0) })
        await received.wait(for: 1)
        await relay.finish()
        await running.value
        await shop.stop()
        #expect(received.count == 1)
    }

    @Test func `an asynchronous observer may take longer than the acknowledgement time`() async throws {
        let (server, shop, office) = try await programs { $0.acknowledgementTime = .seconds(2) }
        let gate = Gate()
        let counts = ReceivedValues<Int>()
        let tokens = [
            office.center.addObserver(for: RelayedNotification<Tick>.self) { counts.append($0.origin.deliveryCount) },
            office.center.addObserver(on: .task, for: Tick.self) { _ in await gate.wait() },
        ]
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await counts.wait(for: 1)
        // Keep the observer busy for three times the acknowledgement time. The relay reports progress four times in
        // each acknowledgement time, so the server redelivers only if the machine stalls for two seconds.
        let clock = ContinuousClock.now
        var number = 2
        while clock.duration(to: .now) < .seconds(6) {
            await shop.center.deliver(Tick(poster: 1, number: number))
            number += 1
        }
        gate.open()
        await office.stop()
        #expect(Set(counts.values) == [1])
        await shop.stop()
        withExtendedLifetime((server, tokens)) {}
    }

    @Test func `a sequence element is acknowledged when the next element is requested`() async throws {
        let (server, shop, office) = try await programs {
            $0.retryPolicy = RetryPolicy(Array(repeating: .milliseconds(50), count: 9))
        }
        let all = ReceivedValues<Int>()
        let token = office.center.addObserver(for: RelayedNotification<Tick>.self) {
            all.append($0.notification.number * 10 + $0.origin.deliveryCount)
        }
        var first: NotificationSequence<Tick>.Iterator? = office.center.notifications(of: Tick.self).makeAsyncIterator()
        // This observer is called after the sequence has received the notification.
        let given = ReceivedValues<Void>()
        let last = office.center.addObserver(for: Tick.self) { _ in given.append(()) }
        for number in 1...3 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        #expect(await first?.next()?.number == 1)
        #expect(await first?.next()?.number == 2)
        await given.wait(for: 3)
        // The sequence ends before its consumer has handled the second notification. The second and the third are
        // redelivered, and the first isn't.
        first = nil
        await all.wait(for: 5)
        #expect(Set(all.values) == [11, 21, 31, 22, 32])
        await office.stop()
        #expect(office.faults.values.map(\.kind) == [.observerFailed, .observerFailed])
        await shop.stop()
        withExtendedLifetime((server, token, last)) {}
    }

    @Test func `when a relay stops, it waits until the elements of sequences are handled`() async throws {
        let (server, shop, office) = try await programs()
        let handled = ReceivedValues<Int>()
        let sequence = office.center.notifications(of: RelayedNotification<Tick>.self)
        let gate = Gate()
        let reading = Task {
            for await received in sequence {
                await gate.wait()
                handled.append(received.notification.number)
            }
        }
        for number in 1...5 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await office.received.wait(for: 5)
        async let stopped: Void = office.stop()
        gate.open()
        await stopped
        #expect(handled.values == [1, 2, 3, 4, 5])
        // All elements are acknowledged, so none is redelivered to the next program.
        let next = try RelayedProgram("office", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        await next.relay.waitUntilReady()
        await shop.center.deliver(Tick(poster: 1, number: 6))
        await next.received.wait(for: 1)
        #expect(next.received.values.map(\.number) == [6])
        reading.cancel()
        await next.stop()
        await shop.stop()
    }

    @Test func `before a relay finishes, it stores the notifications that observers post in response`() async throws {
        let (server, shop, office) = try await programs()
        struct Answer: RemoteNotification {
            static let wireName = "test.answer"
            let number: Int
        }
        let clerk = NativeNotificationCenter()
        let relay = try NotificationRelay(
            clerk, to: NATSServer(server.address), as: "clerk",
            routes: [
                .durable(Tick.self, .incoming, stream: "TICKS"), .durable(Answer.self, .outgoing, stream: "TICKS"),
            ])
        let answered = ReceivedValues<Int>()
        let token = clerk.addObserver(for: Tick.self) { note in
            clerk.post(Answer(number: note.number))
            answered.append(note.number)
        }
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        for number in 0..<100 { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await answered.wait(for: 100)
        await relay.finish()
        await running.value
        #expect(relay.unsentCount == 0)
        let answers = ReceivedValues<Int>()
        let reader = try await connect(server)
        let subscription = try reader.subscribe("answers", group: nil) { message in
            answers.append((try? JSONMembers(message.body))?.object("state")?.number("messages") ?? -1)
        }
        _ = reader.publish(RelayMessage("$JS.API.STREAM.INFO.TICKS", reply: "answers"))
        await answers.wait(for: 1)
        #expect(answers.values == [200])
        reader.close()
        await office.stop()
        await shop.stop()
        withExtendedLifetime((token, subscription)) {}
    }

    @Test func `a message that can't be decoded becomes a dead letter and doesn't hold up others`() async throws {
        let (server, shop, office) = try await programs { $0.retryPolicy = [.milliseconds(20)] }
        let other = try await connect(server)
        for text in ["nonsense", #"{"specversion":"1.0","id":"1","source":"x","type":"test.tick.v9","data":{}}"#] {
            _ = other.publish(RelayMessage("tidings.test.tick.v1", text: text))
        }
        #expect(await other.flush())
        await shop.center.deliver(Tick(poster: 1, number: 1))
        await office.received.wait(for: 1)
        while office.faults.values.count(where: { $0.kind == .deadLetter }) < 2 {
            await office.faults.wait(for: office.faults.count + 1)
        }
        await office.stop()
        // Each message is retried once, because a replica may be able to read it.
        for (kind, count) in [RelayFault.Kind.undecodable: 2, .unknownVersion: 2, .deadLetter: 2] {
            #expect(await office.faults(kind, count).reduce(0) { $0 + $1.count } == count)
        }
        other.close()
        await shop.stop()
    }

    @Test func `a new consumer starts with new messages unless its route requests stored ones`() async throws {
        let (server, shop, office) = try await programs()
        await shop.center.deliver(Tick(poster: 1, number: 1))
        let new = try RelayedProgram("new", server, [.durable(Tick.self, .incoming, stream: "TICKS")])
        let old = try RelayedProgram("old", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
        await new.relay.waitUntilReady()
        await old.relay.waitUntilReady()
        await shop.center.deliver(Tick(poster: 1, number: 2))
        await new.received.wait(for: 1)
        await old.received.wait(for: 2)
        for program in [new, old, office, shop] { await program.stop() }
        #expect(new.received.values.map(\.number) == [2] && old.received.values.map(\.number) == [1, 2])
    }
}

func connect(_ server: ServerProcess) async throws -> any Link { try await connect(server.way) }

/// Connects to the server, and retries after a timeout, because connecting may take longer than two seconds on a busy
/// machine.
func connect(_ server: NATSServer) async throws -> any Link {
    while true {
        do throws(RelayFault) { return try await NATSConnector(server: server, name: "test").connect { _ in } } catch {
            guard error.kind == .cannotConnect, error.detail.contains("Timeout") else { throw error }
        }
    }
}
