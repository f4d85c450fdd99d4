import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Download: Sendable {}

private struct Ended: NotificationCenter.AsyncMessage {
    typealias Subject = Download
    var number: Int
}

private struct Pasted: NotificationCenter.MainActorMessage {
    typealias Subject = Download
    var text: String
}

private actor Cache {
    let received = ReceivedValues<Int>()
}

/// Tests Foundation's typed messages. On Linux, they are independent of untyped notifications.
@Suite(.timeLimit(.minutes(2))) struct MessageNotificationTests {
    private let center = NotificationCenter()
    private let received = ReceivedValues<Int>()

    @Test func `messages can be read as a sequence`() async {
        var messages = center.notifications(of: MessageNotification<Ended>.self).makeAsyncIterator()
        center.post(Ended(number: 1), subject: Download())
        #expect(await messages.next()?.message.number == 1)
        center.post(Ended(number: 2))
        #expect(await messages.next()?.message.number == 2)
    }

    @Test func `a message is received in an actor`() async {
        let cache = Cache()
        center.addObserver(cache, on: .actor, for: MessageNotification<Ended>.self) { cache, note in
            cache.received.append(note.message.number)
        }
        center.post(Ended(number: 1))
        await cache.received.wait(for: 1)
        #expect(cache.received.values == [1])
    }

    @Test func `a message is received on an operation queue`() async {
        let token = center.addObserver(for: MessageNotification<Ended>.self, queue: OperationQueue()) {
            [received] note in
            received.append(note.message.number)
        }
        center.post(Ended(number: 1))
        await received.wait(for: 1)
        #expect(received.values == [1])
        withExtendedLifetime(token) {}
    }

    @Test func `observers can be limited to a subject`() async {
        let (one, other) = (Download(), Download())
        var messages = center.notifications(of: MessageNotification<Ended>.self, sender: one).makeAsyncIterator()
        center.post(Ended(number: 1), subject: other)
        center.post(Ended(number: 2), subject: one)
        #expect(await messages.next()?.message.number == 2)
    }

    @Test func `messages about a new object don't reach observers of a deallocated object at the same address`() async {
        var tokens: [NotificationToken] = []
        for _ in 0..<1_000 {
            let dead = Download()
            tokens.append(
                center.addObserver(for: MessageNotification<Ended>.self, sender: dead) { [received] note in
                    received.append(note.message.number)
                })
        }
        #expect(tokens.allSatisfy { !$0.isActive })
        var all = center.notifications(of: MessageNotification<Ended>.self).makeAsyncIterator()
        for _ in 0..<1_000 { center.post(Ended(number: 1), subject: Download()) }
        for _ in 0..<1_000 { _ = await all.next() }
        #expect(received.count == 0)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a cancelled observer receives no messages, not even messages already being delivered`() async {
        let token = center.addObserver(for: MessageNotification<Ended>.self) { [received] in
            received.append($0.message.number)
        }
        var all = center.notifications(of: MessageNotification<Ended>.self).makeAsyncIterator()
        for _ in 0..<1_000 { center.post(Ended(number: 1)) }
        await token.cancelAndDrain()
        let count = received.count
        #expect(!token.isActive)
        for _ in 0..<1_000 { _ = await all.next() }
        center.post(Ended(number: 2))
        _ = await all.next()
        #expect(received.count == count)
    }

    @Test func `a post of a typed notification reaches observers of the message`() async {
        let token = center.addObserver(of: Download.self, for: NotificationCenter.BaseMessageIdentifier<Ended>()) {
            [received] (message: Ended) in
            received.append(message.number)
        }
        #expect(center.post(MessageNotification(Ended(number: 1))) == 0)
        await received.wait(for: 1)
        #expect(received.values == [1])
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `a main-actor message is received during the post`() {
        var texts: [String] = []
        let (one, other) = (Download(), Download())
        let tokens = [
            center.addObserver(for: MainActorMessageNotification<Pasted>.self) {
                texts.append("all \($0.message.text)")
            },
            center.addObserver(for: MainActorMessageNotification<Pasted>.self, sender: one) {
                texts.append("one \($0.message.text)")
            },
        ]
        center.post(Pasted(text: "a"), subject: one)
        center.post(Pasted(text: "b"), subject: other)
        center.post(Pasted(text: "c"))
        #expect(texts.sorted() == ["all a", "all b", "all c", "one a"])
        for token in tokens { token.cancel() }
        center.post(Pasted(text: "d"))
        #expect(texts.count == 4)
    }

    @MainActor
    @Test func `a post of a main-actor notification reaches observers of the message`() {
        var texts: [String] = []
        let token = center.addObserver(of: nil, for: Pasted.self) { texts.append($0.text) }
        center.post(MainActorMessageNotification(Pasted(text: "a")))
        #expect(texts == ["a"])
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `Sendable main-actor messages can be read as a sequence`() async {
        let center = center
        var messages = center.notifications(of: MainActorMessageNotification<Pasted>.self).makeAsyncIterator()
        center.post(Pasted(text: "a"))
        #expect(await messages.next()?.message.text == "a")
    }

    @Test func `an observation of a message ends when the owner is deallocated`() {
        var owner: Download? = Download()
        let token = owner.map { center.addObserver($0, for: MessageNotification<Ended>.self) { _, _ in } }
        #expect(token?.isActive == true)
        owner = nil
        #expect(token?.isActive == false)
        // `cancel()` removes Foundation's own token, which keeps the center alive.
        token?.cancel()
    }

    @Test func `an observation of messages ends after its subject is deallocated`() async {
        func observe() -> NotificationToken {
            let subject = Download()
            return center.addObserver(for: MessageNotification<Ended>.self, sender: subject) { _ in }
        }
        let token = observe()
        let other = center.addObserver(for: MessageNotification<Ended>.self) { _ in }
        #expect(center.observations.count == 1)
        await eventually(
            "the observation has ended", { center.endedObservations.map(\.reason) }, until: { $0 == [.senderGone] })
        withExtendedLifetime((token, other)) {}
    }

    @Test func `an observation of messages leaves nothing behind after its owner and subject are deallocated`() async {
        func observe() {
            let (owner, subject) = (Download(), Download())
            center.addObserver(owner, for: MessageNotification<Ended>.self, sender: subject) { _, _ in }
        }
        observe()
        let other = center.addObserver(for: MessageNotification<Ended>.self) { _ in }
        await eventually("the observation's native center is released") { center.nativeCenters.count == 1 }
        await eventually(
            "the observation has ended", { center.endedObservations.map(\.reason) }, until: { $0 == [.ownerGone] })
        withExtendedLifetime(other) {}
    }

    @MainActor
    @Test func `an observation of main-actor messages ends after its subject is deallocated`() {
        func observe() -> NotificationToken {
            let subject = Download()
            return center.addObserver(for: MainActorMessageNotification<Pasted>.self, sender: subject) { _ in }
        }
        let token = observe()
        let other = center.addObserver(for: MainActorMessageNotification<Pasted>.self) { _ in }
        #expect(center.observations.count == 1)
        #expect(!token.isActive)
        withExtendedLifetime(other) {}
    }

    @Test func `an observation of a deallocated subject ends after a few registrations, even among 300 observations`() {
        let subject = Download()
        func observe(_ subject: Download) -> NotificationToken {
            center.addObserver(for: MessageNotification<Ended>.self, sender: subject) { _ in }
        }
        var tokens = (0..<300).map { _ in observe(subject) }
        tokens.append(observe(Download()))
        for _ in 0..<5 { tokens.append(observe(subject)) }
        #expect(center.observations.count == 305)
        withExtendedLifetime((subject, tokens)) {}
    }

    @MainActor
    @Test func `observing a main-actor message doesn't retain the center, and ends when the center is deallocated`() {
        weak var former: NotificationCenter?
        let token = {
            let center = NotificationCenter()
            former = center
            return center.addObserver(for: MainActorMessageNotification<Pasted>.self) { _ in }
        }()
        #expect(former == nil)
        #expect(!token.isActive)
    }
}
