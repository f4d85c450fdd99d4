import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

/// Tests of a server that lists a subject for a stream but doesn't pass messages with this subject to the stream.
@Suite(.timeLimit(.minutes(2))) struct UnheardTests {
    @Test func `if a stream gets no messages with a subject that it lists, the relay removes and re-adds the subject`()
        async throws
    {
        let server = MemoryServer()
        let clock = ManualClock()
        let link = try await server.connect { _ in }
        // The stream's subjects, whether the subject of ticks was removed and added again, and a copy of the subjects
        // after each change.
        let stream = Lock(
            (subjects: ["tidings.other.*", "tidings.test.tick.*"], isHeard: false, changes: [[String]]()))
        let subscription = try link.subscribe(">", group: nil) { message in
            guard let reply = message.reply else { return }
            func say(_ text: String) { _ = link.publish(RelayMessage(reply, text: text)) }
            if message.subject.hasPrefix("$JS.API.STREAM.UPDATE") {
                let subjects = (try? JSONMembers(message.body))?.strings("subjects") ?? []
                stream.withLock { stream in
                    let had = stream.subjects.contains("tidings.test.tick.*")
                    if !had, subjects.contains("tidings.test.tick.*") { stream.isHeard = true }
                    stream.subjects = subjects
                    stream.changes.append(subjects)
                }
            }
            if message.subject.hasPrefix("$JS.API.") {
                let subjects = stream.withLock { $0.subjects }.map { "\"\($0)\"" }.joined(separator: ",")
                return say(
                    """
                    {"config":{"name":"S","subjects":[\(subjects)],"max_age":0,"max_bytes":-1,"max_msgs":-1,"discard":"old"}}
                    """)
            }
            if !stream.withLock({ $0.isHeard }) {
                _ = link.publish(RelayMessage(reply, headers: [.init("Status", "503")]))
            } else if message.header("Nats-Expected-Stream") != nil {
                say(#"{"error":{"code":400,"err_code":10060,"description":"expected stream does not match"}}"#)
            } else {
                say(#"{"stream":"S","seq":1}"#)
            }
        }
        let shop = try NotificationRelayTests.Program(
            "shop", server, NativeNotificationCenter(), [.durable(Tick.self, .outgoing, stream: "S")]
        ) { $0.clock = clock }
        await shop.relay.waitUntilReady()
        let published = Task { try await shop.relay.publish(Tick(number: 1)) }
        while !stream.withLock({ $0.isHeard }) || shop.relay.unsentCount > 0 {
            clock.advance(by: .milliseconds(100))
            await Task.yield()
        }
        #expect(try await published.value == 1)
        #expect(
            stream.withLock { $0.changes }
                == [["tidings.other.*"], ["tidings.test.tick.*", "tidings.other.*"]])
        #expect(shop.faults.values.contains { $0.detail == "no stream stores this subject" })
        await shop.relay.finish(within: .zero)
        withExtendedLifetime(subscription) {}
    }
}
