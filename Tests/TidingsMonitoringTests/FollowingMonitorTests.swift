import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Opened: TypedNotification, CustomTidingsDescription {
    let door: String
    var tidingsDescription: String { "the door \(door)" }
}

private struct Shown: MainActorNotification, CustomTidingsDescription {
    let tidingsDescription: String
}

private struct Pong: TypedNotification {}

private struct Follower: FollowingMonitor {
    let follows: Bool
    let words = ReceivedValues<String>()
    let posts = ReceivedValues<NotificationPost.ID>()

    func receive(_ event: NotificationEvent) {
        guard case .posted(let post) = event else { return }
        words.append("posted to \(post.observers)")
        posts.append(post.id)
    }

    func receive(payload: String, of post: NotificationPost.ID) { words.append(payload) }

    func receive(refusalBy observer: ObserverDescription, of post: NotificationPost.ID) {
        words.append("refused \(observer.delivery)")
    }

    func receive(waiting delivery: NotificationDelivery.ID, for observer: ObserverDescription, number: Int?) {
        words.append("waits as \(number.map { "\($0)" } ?? "dropped")")
    }
}

/// A monitor that carries contexts. While it is attached, the center uses another code path for posts.
private struct Carrier: ContextCarryingMonitor {
    func receive(_ event: NotificationEvent) {}
    func post(_ subject: NotificationSubject, from place: SourcePlace?, perform body: () -> Void) { body() }
    func context(for observer: ObserverDescription) -> Int { 0 }
    func call(_ observer: ObserverDescription, in context: Int, perform body: () -> Void) { body() }
    nonisolated(nonsending)
        func call(
            _ observer: ObserverDescription, in context: Int, perform body: nonisolated(nonsending) () async -> Void
        ) async
    { await body() }
}

@Suite(.timeLimit(.minutes(2))) struct FollowingMonitorTests {
    private let center = NativeNotificationCenter()

    @Test(arguments: [true, false])
    func `a following monitor receives a post's description when the post begins, even if another monitor has contexts`(
        isCarried: Bool
    ) {
        let (follower, center) = (Follower(follows: true), center)
        let attachments = [isCarried ? center.attach(Carrier()) : nil, center.attach(follower)]
        let token = center.addObserver(for: Opened.self) { note in
            if note.door == "a" { center.post(Opened(door: "b")) }
        }
        center.post(Opened(door: "a"))
        center.post(Pong())
        #expect(follower.words.values == ["the door a", "the door b", "posted to 1", "posted to 1", "posted to 0"])
        withExtendedLifetime((attachments, token)) {}
    }

    @MainActor
    @Test func `a following monitor receives a main-actor notification's own description`() {
        let follower = Follower(follows: true)
        let attachment = center.attach(follower)
        center.post(Shown(tidingsDescription: "the window"))
        #expect(follower.words.values == ["the window", "posted to 0"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `a following monitor receives each rejection, and each queued or dropped notification`() async {
        let (follower, actor) = (Follower(follows: true), StoppedActor())
        center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .oldest(1)) { _, _ in }
        let token = center.addObserver(for: Numbered.self, where: { $0.number > 1 }) { _ in }
        let attachment = center.attach(follower)
        for number in 1...2 { center.post(Numbered(number: number)) }
        #expect(
            follower.words.values == [
                "waits as 1", "refused in the post", "posted to 1", "waits as dropped", "posted to 2",
            ])
        await actor.executor.finish { true }
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a monitor that can follow posts but doesn't do so receives only events`() async {
        let (follower, actor) = (Follower(follows: false), StoppedActor())
        center.addObserver(actor, on: .actor, for: Opened.self) { _, _ in }
        let token = center.addObserver(for: Opened.self, where: { _ in false }) { _ in }
        let attachment = center.attach(follower)
        center.post(Opened(door: "a"))
        #expect(follower.words.values == ["posted to 1"])
        await actor.executor.finish { true }
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `a following monitor receives the posts that a delivery causes, up to a limit, and the rest is counted`()
    {
        let (follower, center, count) = (Follower(follows: true), center, 400)
        let attachment = center.attach(follower, interests: [.posts, .deliveries])
        let token = center.addObserver(for: Numbered.self) { note in for _ in 0..<note.number { center.post(Pong()) } }
        #expect(attachment.sample(every: 1, andCaused: count) == 0)
        center.post(Numbered(number: count))
        #expect(follower.posts.count == count + 1)
        #expect(attachment.sample(every: 1, andCaused: 3) == 0)
        center.post(Numbered(number: count))
        let caused = follower.posts.count - count - 2
        // Beyond the limit, the monitor receives one post in 64, and the first post of each lane (a slot for a running
        // post).
        #expect((3...3 + 64 + count / 64).contains(caused))
        #expect(attachment.sample(every: 1, andCaused: 3) == count - caused)
        #expect(attachment.sample(every: 1, andCaused: 3) == 0)
        withExtendedLifetime((attachment, token)) {}
    }
}
