import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct Counted: NotificationDescriptor {
    let name = Notification.Name("DescriptorSequenceTests.Counted")
    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Int {
        try UserInfoReader(notification).value(for: "count", as: Int.self)
    }
}

private struct Shown: MainActorBridgedNotification, Codable, Equatable {
    static let name = "DescriptorSequenceTests.Shown"
    @NotificationSender var sender: Progress?
    var number: Int
}

@Suite(.timeLimit(.minutes(2))) struct DescriptorSequenceTests {
    private let center = NotificationCenter()
    private let keyboard = KeyboardPayload(
        startingFrame: .zero, endingFrame: CGRect(x: 0, y: 0, width: 1, height: 2), animationDuration: 0.25,
        animationCurve: .keyboard, isLocal: true)

    private func post(_ count: Any, object: Any? = nil) {
        center.post(name: Counted().name, object: object, userInfo: ["count": count])
    }

    @Test func `a sequence of a descriptor's payloads skips and reports payloads that can't be decoded`()
        async
    {
        Reports.collect()
        var payloads = center.notifications(descriptor: Counted()).makeAsyncIterator()
        for count in [1, "two", 3] as [Any] { post(count) }
        #expect(await payloads.next() == 1)
        #expect(await payloads.next() == 3)
        #expect(Reports.of(Counted().name.rawValue).count == 1)
    }

    @Test func `a sequence of payloads can be limited to an object and have a policy that drops payloads`() async {
        let object = Progress(totalUnitCount: 1)
        let sequence = center.notifications(descriptor: Counted(), object: object, buffering: .latest(1))
        post(1, object: object)
        post(2)
        post(3, object: object)
        var payloads = sequence.makeAsyncIterator()
        #expect(await payloads.next() == 3)
        #expect(sequence.droppedCount == 1)
    }

    @Test func `a task can wait for the first payload that meets a condition`() async {
        let payload = await center.first(descriptor: Counted(), where: { $0 > 1 }) {
            post(1)
            post(2)
        }
        #expect(payload == 2)
        let task = Task { [center] in await center.first(descriptor: Counted()) }
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test func `waiting for a payload ends when the time limit passes`() async {
        let clock = ManualClock()
        let payload = await center.first(
            descriptor: Counted(), within: .seconds(1), clock: clock,
            performing: {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(1))
            })
        #expect(payload == nil)
    }

    @Test func `the payloads of a main-actor descriptor can be read as a sequence from any isolation`() async throws {
        let (center, keyboard) = (center, keyboard)
        var payloads = center.notifications(descriptor: KeyboardNotification.willShow).makeAsyncIterator()
        try await MainActor.run { try center.post(KeyboardNotification.willShow, payload: keyboard) }
        #expect(await payloads.next() == keyboard)
        let first = await center.first(
            descriptor: KeyboardNotification.didShow,
            performing: {
                await MainActor.run { (try? KeyboardNotification.didShow.encode(keyboard)).map(center.post) }
            })
        #expect(first == keyboard)
    }

    @Test(arguments: [NativeNotificationCenter(), NotificationCenter()] as [any TypedNotificationCenter])
    func `main-actor notifications can be read as a sequence from any isolation`(
        center: any TypedNotificationCenter
    ) async {
        var notes = center.notifications(of: Shown.self).makeAsyncIterator()
        await MainActor.run { _ = center.post(Shown(sender: nil, number: 1)) }
        #expect(await notes.next()?.number == 1)
        let first = await center.first(of: Shown.self, where: { $0.number > 1 }) {
            await MainActor.run {
                _ = (center.post(Shown(sender: nil, number: 1)), center.post(Shown(sender: nil, number: 2)))
            }
        }
        #expect(first?.number == 2)
    }

    @Test @MainActor func `a sequence of main-actor notifications ends when its sender is deallocated`() async {
        let center = NativeNotificationCenter()
        var sender: Progress? = Progress(totalUnitCount: 1)
        var notes = center.notifications(of: Shown.self, sender: sender).makeAsyncIterator()
        sender = nil
        await MainActor.run { _ = center.post(Shown(sender: nil, number: 1)) }
        #expect(await notes.next() == nil)
    }
}
