import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct Saved: TypedNotification, Sendable {
    static let name = "FoundationRoomTests.Saved"
    var id = 0
}

private struct Opened: TypedNotification, Sendable {
    static let name = "FoundationRoomTests.Opened"
}

private struct Closed: TypedNotification, Sendable {
    static let name = "FoundationRoomTests.Closed"
}

@Suite(.timeLimit(.minutes(2))) struct FoundationRoomTests {
    @Test func `a poster on Foundation's center waits until an observer with back pressure has room`() async throws {
        let (center, begun, go, received) = (NotificationCenter(), Gate(), Gate(), ReceivedValues<Int>())
        let token = center.addObserver(on: .task, for: Saved.self, buffering: .backPressure(1)) { note in
            begun.open()
            await go.wait()
            received.append(note.id)
        }
        try await center.postWaitingForRoom(Saved(id: 0), within: .zero)
        await begun.wait()
        try await center.postWaitingForRoom(Saved(id: 1), within: .zero)
        await #expect(throws: NoRoomError.self) { try await center.postWaitingForRoom(Saved(id: 2), within: .zero) }
        let poster = Task { try await center.postWaitingForRoom(Saved(id: 3), within: .seconds(600)) }
        go.open()
        #expect(try await poster.value == 1)
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(received.values == [0, 1, 3])
        withExtendedLifetime(token) {}
    }

    @Test func `a poster on Foundation's center doesn't wait for a full sequence of other types`() async throws {
        let center = NotificationCenter()
        let notes = center.notifications(of: Saved.self, Opened.self, buffering: .backPressure(1))
        for id in 0..<3 { center.post(Saved(id: id)) }
        #expect(try await center.postWaitingForRoom(Closed(), within: .zero) == 0)
        withExtendedLifetime(notes) {}
    }

    @Test func `a sequence of several types on Foundation's center has one limit for all its types`() async throws {
        let center = NotificationCenter()
        let notes = center.notifications(of: Saved.self, Opened.self, buffering: .backPressure(1))
        #expect(try await center.postWaitingForRoom(Saved(), within: .zero) == 1)
        await #expect(throws: NoRoomError.self) { try await center.postWaitingForRoom(Saved(), within: .zero) }
        await #expect(throws: NoRoomError.self) { try await center.postWaitingForRoom(Opened(), within: .zero) }
        withExtendedLifetime(notes) {}
    }
}
