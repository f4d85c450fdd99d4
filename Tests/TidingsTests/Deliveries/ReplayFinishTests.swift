import TestSupport
import Testing
import Tidings
import TidingsTesting

/// An object whose release blocks the releasing thread until a gate opens.
private final class Stopping: Sendable {
    private let isReleased: Gate
    private let mayGoOn: Gate

    init(_ isReleased: Gate, _ mayGoOn: Gate) { (self.isReleased, self.mayGoOn) = (isReleased, mayGoOn) }

    deinit {
        isReleased.open()
        mayGoOn.wait(patience: .seconds(300))
    }
}

private struct Held: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let number: Int
    var held: Stopping?
}

/// A sender whose comparison with an observer's sender blocks until a gate opens.
private struct Slow: Hashable, Sendable {
    let gates: (isCompared: Gate, mayGoOn: Gate)
    var isObserved = false

    static func == (lhs: Slow, rhs: Slow) -> Bool {
        if lhs.isObserved != rhs.isObserved {
            lhs.gates.isCompared.open()
            lhs.gates.mayGoOn.wait(patience: .seconds(300))
        }
        return true
    }

    func hash(into hasher: inout Hasher) {}
}

private struct FromSlow: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: Slow
    let number: Int
}

private struct Nested: TypedNotification {
    let depth: Int
}

/// If a post of a replayed type coincides with a finish, the post reaches all observers or none. This includes an
/// observer that is registered during the post and receives the post's notification as the latest.
@Suite(.offThePool) struct ReplayFinishTests {
    private let center = NativeNotificationCenter()
    private let tokens = Tokens()
    private let isKept = Gate()
    private let mayGoOn = Gate()
    private let early = ReceivedValues<Int>()
    private let late = ReceivedValues<Int>()

    @Test(arguments: [false, true])
    func `if a late observer receives a post, all other observers receive it, even if a finish begins meanwhile`(
        isMonitored: Bool
    ) async {
        let attachment = isMonitored ? center.attach(RecordingMonitor()) : nil
        tokens.append(center.addObserver(for: Held.self) { [early] in early.append($0.number) })
        center.post(Held(number: 1, held: Stopping(isKept, mayGoOn)))
        // The second notification replaces the first one, whose release blocks the post.
        await finish(during: { [center] in center.post(Held(number: 2)) }) {
            tokens.append(center.addObserver(for: Held.self) { [late] in late.append($0.number) })
        }
        #expect(early.values == [1, 2] && late.values == [2])
        attachment?.detach()
    }

    @Test(arguments: [false, true])
    func `if a late observer receives a post, so do all others, even if a finish begins during a comparison`(
        isMonitored: Bool
    ) async {
        let attachment = isMonitored ? center.attach(RecordingMonitor()) : nil
        let sender = Slow(gates: (isKept, mayGoOn))
        var observed = sender
        observed.isObserved = true
        tokens.append(center.addObserver(for: FromSlow.self, sender: observed) { [early] in early.append($0.number) })
        await finish(during: { [center] in center.post(FromSlow(sender: sender, number: 1)) }) {
            tokens.append(center.addObserver(for: FromSlow.self) { [late] in late.append($0.number) })
        }
        #expect(early.values == [1] && late.values == [1])
        attachment?.detach()
    }

    @Test func `a deeply nested post that a late observer receives reaches all other observers`() async {
        tokens.append(center.addObserver(for: Held.self) { [early] in early.append($0.number) })
        tokens.append(
            center.addObserver(for: Nested.self) { [center] note in
                if note.depth < 80 { center.post(Nested(depth: note.depth + 1)) } else { center.post(Held(number: 2)) }
            })
        center.post(Held(number: 1, held: Stopping(isKept, mayGoOn)))
        await finish(during: { [center] in center.post(Nested(depth: 0)) }) {
            tokens.append(center.addObserver(for: Held.self) { [late] in late.append($0.number) })
        }
        #expect(early.values == [1, 2] && late.values == [2])
    }

    /// Makes a post that blocks after its notification was stored. Registers an observer and finishes the center before
    /// the post continues.
    private func finish(during post: @escaping @Sendable () -> Void, register: () -> Void) async {
        async let posting: Void = onOwnThread(post)
        await isKept.wait()
        register()
        // This call returns at once. Posts that begin from now on reach no observer.
        await center.finish(within: .zero)
        #expect(center.post(Held(number: 3)) == 0 && late.count == 1)
        mayGoOn.open()
        await posting
        #expect(await center.finish(within: .seconds(600)).isEmpty)
    }

    @Test func `a post during a finish is reported to monitors as a post without observers`()
        async
    {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let (isCalled, early) = (isKept, early)
        tokens.append(
            center.addObserver(for: Held.self) { [mayGoOn] note in
                early.append(note.number)
                isCalled.open()
                mayGoOn.wait(patience: .seconds(300))
            })
        async let posting: Void = onOwnThread { [center] in center.post(Held(number: 1)) }
        await isCalled.wait()
        #expect(await center.finish(within: .zero).map(\.isRunning) == [true])
        #expect(center.post(Held(number: 2)) == 0)
        #expect(monitor.posts.map(\.observers) == [0])
        mayGoOn.open()
        await posting
        #expect(await center.finish(within: .seconds(600)).isEmpty)
        #expect(early.values == [1] && monitor.posts.map(\.observers) == [0, 1])
        attachment.detach()
    }

    @Test func `a post by an observer during a finish calls no observer of the same type, and finish returns`() async {
        let (center, early) = (center, early)
        let (isCalled, mayGoOn) = (isKept, mayGoOn)
        tokens.append(
            center.addObserver(for: Held.self) { note in
                early.append(note.number)
                if note.number > 1 { return }
                isCalled.open()
                mayGoOn.wait(patience: .seconds(300))
                #expect(center.post(Held(number: 2)) == 0)
            })
        async let posting: Void = onOwnThread { #expect(center.post(Held(number: 1)) == 1) }
        await isCalled.wait()
        await center.finish(within: .zero)
        mayGoOn.open()
        await posting
        #expect(await center.finish(within: .seconds(600)).isEmpty)
        #expect(early.values == [1])
    }
}
