import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct EndedObservationsTests {
    private let center = NativeNotificationCenter(keepsEnded: true)

    private var ends: [ObservationEndReason] { center.endedObservations.map(\.reason) }

    @Test func `an ended observation is recorded with its place, its identity and the reason`() throws {
        let token = center.addObserver(for: Ping.self) { _ in }
        let line = #line - 1
        let listed = try #require(center.observations.first)
        #expect(center.endedObservations.isEmpty)
        token.cancel()
        token.cancel()
        let ended = try #require(center.endedObservations.first)
        #expect(center.endedObservations.count == 1)
        #expect(ended.id == listed.id)
        #expect(ended.reason == .cancelled)
        #expect(ended.observer.place.line == UInt(line))
        #expect(ended.observer.subject.type == Ping.self)
        #expect("\(ended)".hasSuffix("EndedObservationsTests.swift:\(line): cancelled"))
    }

    @Test func `the recorded reason distinguishes a released token, a deallocated owner and a deallocated sender`() {
        do { _ = center.addObserver(for: Ping.self) { _ in } }
        do {
            let (owner, sender) = (Account(), Account())
            center.addObserver(owner, for: Ping.self) { _, _ in }
            let token = center.addObserver(for: Renamed.self, sender: sender) { _ in }
            withExtendedLifetime((owner, sender)) {}
            kept.append(token)
        }
        center.post(Ping())
        #expect(center.observations.isEmpty)
        #expect(ends == [.tokenReleased, .ownerGone, .senderGone])
    }

    @Test func `observations that are made through a recorder end for the same reasons as direct ones`() {
        let native = NativeNotificationCenter(keepsEnded: true)
        let centers: [any TypedNotificationCenter] = [native, RecordingNotificationCenter(forwardingTo: center)]
        for center in centers {
            do { _ = center.addObserver(for: Ping.self) { _ in } }
            do { _ = center.addObserver(on: .task, for: Ping.self) { _ in } }
            center.addObserver(for: Ping.self) { _ in }.cancel()
            do {
                let owner = Account()
                center.addObserver(owner, for: Ping.self) { _, _ in }
                withExtendedLifetime(owner) {}
            }
            center.post(Ping())
        }
        #expect(ends == [.tokenReleased, .tokenReleased, .cancelled, .ownerGone])
        #expect(native.endedObservations.map(\.reason) == ends)
    }

    private let kept = Tokens()

    @Test func `the reasons for the end of asynchronous observers and sequences are recorded`() async {
        let received = ReceivedValues<Int>()
        do {
            let owner = Account()
            let token = center.addObserver(on: .task, for: Ping.self) { _ in }
            let cancelled = center.addObserver(on: .main, for: Ping.self) { _ in }
            cancelled.cancel()
            center.addObserver(owner, on: .main, for: Ping.self) { _, _ in }
            let sequence = center.notifications(of: Ping.self)
            withExtendedLifetime((owner, token, sequence)) {}
        }
        _ = center.observations
        #expect(ends.first == .cancelled)
        #expect(Set(ends.dropFirst()) == [.tokenReleased, .ownerGone])
        #expect(ends.count == 4)
        withExtendedLifetime(received) {}
    }

    @Test func `the last sixteen ended observations of a type are recorded, in the order in which they ended`() {
        let tokens = (0..<40).map { _ in center.addObserver(for: Ping.self) { _ in } }
        let ids = center.observations.map(\.id)
        for token in tokens { token.cancel() }
        #expect(center.endedObservations.map(\.id) == Array(ids.suffix(16)))
    }

    @Test func `an ended observation keeps neither its closure nor its owner nor its sender alive`() {
        weak var weakCaptured: Captured?
        weak var weakOwner: Account?
        do {
            let (captured, owner) = (Captured(), Account())
            (weakCaptured, weakOwner) = (captured, owner)
            center.addObserver(owner, for: Renamed.self, sender: owner) { _, _ in captured.touch() }.cancel()
        }
        #expect(center.endedObservations.count == 1)
        #expect(weakCaptured == nil)
        #expect(weakOwner == nil)
    }

    @Test func `a center that doesn't usually record ended observations records them while a monitor is attached`() {
        let center = NativeNotificationCenter()
        center.addObserver(for: Ping.self) { _ in }.cancel()
        #expect(center.endedObservations.isEmpty)
        let attachment = center.attach(RecordingMonitor())
        center.addObserver(for: Ping.self) { _ in }.cancel()
        #expect(center.endedObservations.map(\.reason) == [.cancelled])
        withExtendedLifetime(attachment) {}
    }

    @Test func `monitors receive the reason why an observation ended, even if its center was deallocated`() {
        let reasons = ReceivedValues<ObservationEndReason>()
        let monitor = RecordingMonitor { event in if case .ended(_, let reason) = event { reasons.append(reason) } }
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let attachment = center?.attach(monitor)
        let token = center?.addObserver(for: Ping.self) { _ in }
        center?.addObserver(for: Ping.self) { _ in }.cancel()
        center = nil
        #expect(reasons.values == [.cancelled, .centerGone])
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a bus reports why a consumer has ended`() {
        let reasons = ReceivedValues<ObservationEndReason>()
        let monitor = RecordingMonitor { event in if case .ended(_, let reason) = event { reasons.append(reason) } }
        var bus: MessageBus<Int>? = MessageBus()
        let attachment = bus?.attach(monitor)
        let consumers = [Consumer(), Consumer()]
        do { bus?.add(Consumer()) }
        for consumer in consumers { bus?.add(consumer) }
        bus?.remove(consumers[0])
        bus?.dispatch(1)
        bus = nil
        #expect(Set(reasons.values) == [.cancelled, .ownerGone, .centerGone])
        withExtendedLifetime((attachment, consumers)) {}
    }
}

private actor Consumer: MessageConsumer {
    func consume(_ message: Int) {}
}
