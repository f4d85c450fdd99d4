import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Request: Sendable {}

private struct RequestChanged: BridgedNotification, NotificationFamily, Codable {
    enum Event: String, CaseIterable {
        case resumed = "NotificationFamilyTests.request.didResume"
        case suspended = "NotificationFamilyTests.request.didSuspend"
        case cancelled = "NotificationFamilyTests.request.didCancel"
    }
    @FamilyEvent var event: Event
    @NotificationSender var sender: Request?
    var attempt: Int
}

private struct Plain: TypedNotification, NotificationFamily {
    enum Event: String, CaseIterable {
        case begun = "NotificationFamilyTests.begun"
        case ended = "NotificationFamilyTests.ended"
    }
    var event: Event
}

private struct PanelChanged: MainActorBridgedNotification, NotificationFamily, Codable {
    enum Event: String, CaseIterable {
        case shown = "NotificationFamilyTests.panel.shown"
        case hidden = "NotificationFamilyTests.panel.hidden"
    }
    @FamilyEvent var event: Event
    var height: Double
}

@Suite(.timeLimit(.minutes(2))) struct NotificationFamilyTests {
    private let center = NotificationCenter()

    private func post(_ event: RequestChanged.Event, object: Any? = nil, _ userInfo: [AnyHashable: Any]?) {
        center.post(name: Notification.Name(event.rawValue), object: object, userInfo: userInfo)
    }

    @Test func `one observer of a family receives the posts of all its names, in order`() {
        let received = ReceivedValues<String>()
        let token = center.addObserver(for: RequestChanged.self) { received.append("\($0.event) \($0.attempt)") }
        post(.resumed, ["attempt": 1])
        #expect(center.post(RequestChanged(event: .suspended, sender: nil, attempt: 2)) == 1)
        post(.cancelled, ["attempt": 3])
        #expect(received.values == ["resumed 1", "suspended 2", "cancelled 3"])
        #expect(token.isActive)
        token.cancel()
        #expect(!token.isActive)
        post(.resumed, ["attempt": 4])
        #expect(center.post(RequestChanged(event: .resumed, sender: nil, attempt: 5)) == 0)
        #expect(received.count == 3)
    }

    @Test func `a typed post reaches untyped observers of its event's name, and no others`() {
        let request = Request()
        for event in RequestChanged.Event.allCases {
            expectSamePost(RequestChanged(event: event, sender: request, attempt: 1)) { center in
                center.post(name: Notification.Name(event.rawValue), object: request, userInfo: ["attempt": 1])
            }
        }
    }

    @Test func `notifications of a family reach observers and sequences on every kind of center`() async {
        let native = NativeNotificationCenter()
        func check(_ center: some TypedNotificationCenter) async {
            let cancelled = ReceivedValues<Int>()
            let token = center.addObserver(for: RequestChanged.self, where: { $0.event == .cancelled }) {
                cancelled.append($0.attempt)
            }
            let sequence = center.notifications(of: RequestChanged.self)
            center.post(RequestChanged(event: .resumed, sender: nil, attempt: 1))
            center.post(RequestChanged(event: .cancelled, sender: nil, attempt: 2))
            center.post(RequestChanged(event: .suspended, sender: nil, attempt: 3))
            var iterator = sequence.makeAsyncIterator()
            for number in 1...3 { #expect(await iterator.next()?.attempt == number) }
            #expect(cancelled.values == [2])
            withExtendedLifetime(token) {}
        }
        await check(center)
        await check(native)
        await check(RecordingNotificationCenter())
    }

    @Test func `the observation of a family ends when the owner is deallocated`() {
        final class Owner: Sendable {}
        let received = ReceivedValues<Int>()
        var owner: Owner? = Owner()
        if let owner { center.addObserver(owner, for: RequestChanged.self) { received.append($1.attempt) } }
        post(.resumed, ["attempt": 1])
        owner = nil
        post(.cancelled, ["attempt": 2])
        #expect(received.values == [1])
        #expect(center.observations.isEmpty)
    }

    @Test func `with unlessRegistered, cancelling the second token ends a family's observer for all names`() {
        final class Owner: Sendable {}
        let (owner, received) = (Owner(), ReceivedValues<Int>())
        let tokens: [NotificationToken] = (0..<2).map { _ in
            center.unlessRegistered.addObserver(owner, for: RequestChanged.self) { received.append($1.attempt) }
        }
        for event in RequestChanged.Event.allCases {
            #expect(center.post(RequestChanged(event: event, sender: nil, attempt: 1)) == 1)
        }
        tokens[1].cancel()
        #expect(!tokens[0].isActive && !tokens[1].isActive)
        for event in RequestChanged.Event.allCases {
            #expect(center.post(RequestChanged(event: event, sender: nil, attempt: 2)) == 0)
        }
        #expect(received.values == [1, 1, 1])
        withExtendedLifetime(owner) {}
    }

    @Test func `an observer of a family can be limited to a sender`() {
        let (one, other) = (Request(), Request())
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: RequestChanged.self, sender: one) { received.append($0.attempt) }
        post(.resumed, object: one, ["attempt": 1])
        post(.cancelled, object: other, ["attempt": 2])
        center.post(RequestChanged(event: .suspended, sender: one, attempt: 3))
        #expect(received.values == [1, 3])
        withExtendedLifetime(token) {}
    }

    @Test func `notifications of a family that isn't bridged are posted under the names of its events`() {
        Reports.collect()
        let received = ReceivedValues<String>()
        let token = center.addObserver(for: Plain.self) { received.append("\($0.event)") }
        let seen = ReceivedValues<String>()
        let observer = center.addObserver(forName: nil, object: nil, queue: nil) { seen.append($0.name.rawValue) }
        center.post(Plain(event: .begun))
        center.post(Plain(event: .ended))
        center.post(name: Notification.Name(Plain.Event.ended.rawValue), object: nil)
        #expect(received.values == ["begun", "ended"])
        #expect(seen.values == [Plain.Event.begun, .ended, .ended].map(\.rawValue))
        #expect(Reports.of(Plain.Event.ended.rawValue).first?.error?.reason == .untyped)
        center.removeObserver(observer)
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `a family of main-actor notifications is observed and posted on the main actor`() {
        var seen: [String] = []
        let token = center.addObserver(for: PanelChanged.self) { seen.append("\($0.event) \($0.height)") }
        center.post(
            name: Notification.Name(PanelChanged.Event.shown.rawValue), object: nil, userInfo: ["height": 2])
        center.post(PanelChanged(event: .hidden, height: 1))
        #expect(seen == ["shown 2.0", "hidden 1.0"])
        expectSamePost(PanelChanged(event: .shown, height: 3)) { center in
            let name = Notification.Name(PanelChanged.Event.shown.rawValue)
            center.post(name: name, object: nil, userInfo: ["height": 3.0])
        }
        withExtendedLifetime(token) {}
    }

    @Test func `a join forwards the notifications of a family under all its names`() {
        let native = NativeNotificationCenter()
        let received = ReceivedValues<String>()
        let tokens = [
            native.join(RequestChanged.self, with: center),
            native.addObserver(for: RequestChanged.self) { received.append("native \($0.event)") },
            center.addObserver(for: RequestChanged.self) { received.append("foundation \($0.event)") },
        ]
        post(.resumed, ["attempt": 1])
        native.post(RequestChanged(event: .cancelled, sender: nil, attempt: 2))
        center.post(RequestChanged(event: .suspended, sender: nil, attempt: 3))
        #expect(
            received.values.sorted() == [
                "foundation cancelled", "foundation resumed", "foundation suspended", "native cancelled",
                "native resumed", "native suspended",
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func `JSON coders read and write a family's event like any other property`() throws {
        struct Sent: Codable {
            @FamilyEvent var event: RequestChanged.Event
        }
        let data = try JSONEncoder().encode(Sent(event: .cancelled))
        #expect(String(decoding: data, as: UTF8.self).contains("request.didCancel"))
        #expect(try JSONDecoder().decode(Sent.self, from: data).event == .cancelled)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Sent.self, from: Data(#"{"event":"no"}"#.utf8)) }
    }

    @Test func `decoding a notification whose name belongs to no event of the family throws an error`() {
        let error = #expect(throws: NotificationDecodingError.self) {
            try RequestChanged(bridging: Notification(name: Notification.Name("other"), userInfo: ["attempt": 1]))
        }
        #expect(error?.reason == .invalid && error?.keyPath == ["event"])
        #expect(error?.detail == "no event has the name other")
    }
}
