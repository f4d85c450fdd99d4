import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct UnsentTests {
    @Test func `an unsent message of a transient route is reported as a fault`() async throws {
        let server = MemoryServer()
        let program = try NotificationRelayTests.Program("shop", server)
        await program.relay.waitUntilReady()
        let message = RelayMessage("tidings.test.tick.v1", text: "{}")
        for link in server.links {
            link.report(.unsent(message, .impossible("no memory")))
            link.report(.unsent(message, .tooLarge))
            // The relay doesn't report a message that is unsent because the link has ended.
            link.report(.unsent(message, .ended))
        }
        #expect(program.faults.values.map(\.kind) == [.rejected, .payloadTooLarge])
        #expect(program.faults.values.allSatisfy { $0.subject == message.subject })
        await program.stop()
    }

    @Test func `publishing a message that a link can't send throws the fault`() async throws {
        let server = MemoryServer()
        let program = try NotificationRelayTests.Program("shop", server)
        await program.relay.waitUntilReady()
        let sent = ReceivedValues<RelayMessage>()
        let other = try await server.connect { _ in }
        let subscription = try other.subscribe("tidings.>", group: nil) { sent.append($0) }
        let publishing = Task { () -> RelayFault? in
            do throws(RelayFault) { try await program.relay.publish(Tick(number: 1)) } catch { return error }
            return nil
        }
        await sent.wait(for: 1)
        for link in server.links { link.report(.unsent(sent.values[0], .tooLarge)) }
        #expect(await publishing.value?.kind == .payloadTooLarge)
        #expect(program.relay.unsentCount == 0)
        await program.stop()
        other.close()
        withExtendedLifetime(subscription) {}
    }
}
