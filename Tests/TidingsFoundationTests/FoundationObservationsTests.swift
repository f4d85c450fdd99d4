import Foundation
import TestSupport
import Testing
import TidingsFoundation

private enum Outer {
    struct Ping: TypedNotification {
        static let name = "FoundationObservationsTests.ping"
    }
}
private struct WillShow: MainActorNotification {
    static let name = "FoundationObservationsTests.willShow"
}
private struct Loaded: NotificationDescriptor {
    let name = Notification.Name("FoundationObservationsTests.loaded")
    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Int { 0 }
    func encode(_ payload: Int) throws(NotificationEncodingError) -> Notification { Notification(name: name) }
}

@Suite(.timeLimit(.minutes(2))) struct FoundationObservationsTests {
    private let center = NotificationCenter()

    @Test func `Foundation's center lists observers by notification type, and observers of a descriptor by name`() {
        var tokens: [NotificationToken] = []
        let sender = Progress(totalUnitCount: 1)
        center.addObserver(for: Outer.Ping.self) { _ in }.store(in: &tokens)
        center.addObserver(for: WillShow.self) { _ in }.store(in: &tokens)
        center.addObserver(descriptor: Loaded(), object: sender) { _ in }.store(in: &tokens)
        let sequence = center.notifications(descriptor: Loaded())
        let line = UInt(#line)
        let statuses = center.observations
        #expect(
            statuses.map(\.subject.type).map { $0.map { ObjectIdentifier($0) } } == [
                ObjectIdentifier(Outer.Ping.self), ObjectIdentifier(WillShow.self), nil, nil,
            ])
        #expect(statuses[0].subject.name.hasSuffix("Outer.Ping"))
        #expect(statuses[2].subject.name == "FoundationObservationsTests.loaded")
        #expect(statuses.map(\.delivery) == [.inPost, .inPostOnMainActor, .inPost, .sequence])
        #expect(statuses.map(\.place.line) == [line - 4, line - 3, line - 2, line - 1])
        #expect(statuses[2].sender?.hasPrefix("Progress (0x") == true)
        #expect(NotificationCenter().observations.isEmpty)
        tokens = []
        #expect(center.observations.count == 1)
        withExtendedLifetime(sequence) {}
    }

    @Test func `an observation contains the number of queued notifications and the place of the registration`() {
        let queue = OperationQueue()
        queue.isSuspended = true
        let token = center.addObserver(for: Numbered.self, queue: queue) { _ in }
        for number in 0..<3 { center.post(Numbered(number: number)) }
        #expect(center.observations.map(\.queued) == [3])
        #expect(center.observations.map(\.delivery) == [.queue])
        #expect(center.observations.table.contains("TidingsFoundationTests/FoundationObservationsTests.swift:"))
        token.cancel()
        queue.isSuspended = false
    }

    @Test func `an observer is listed and reported to monitors while other threads add and cancel observers`() async {
        let center = center
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<200 {
                        let monitor = RecordingMonitor()
                        let attachment = center.attach(monitor)
                        let token = center.addObserver(for: Outer.Ping.self) { _ in }
                        let line = UInt(#line - 1)
                        #expect(center.observations.contains { $0.place.line == line })
                        #expect(monitor.words.contains("registered"))
                        token.cancel()
                        attachment.detach()
                    }
                }
            }
        }
        #expect(center.observations.isEmpty)
    }

    @Test func `a new center at a deallocated center's address doesn't inherit that center's state`() {
        for _ in 0..<100 {
            let center = NotificationCenter()
            #expect(center.observations.isEmpty)
            let token = center.addObserver(for: Outer.Ping.self) { _ in }
            #expect(center.observations.count == 1)
            withExtendedLifetime(token) {}
        }
    }
}

private struct Numbered: TypedNotification {
    let number: Int
}
