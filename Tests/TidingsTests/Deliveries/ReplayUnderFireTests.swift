import Dispatch
import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct State: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
}

private struct OfNumber: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: Double
    var held: Captured?
}

private struct OfObject: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak var sender: Account?
    var number = 0
    var held: Captured?
}

private struct Shown: MainActorNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
}

private final class ThreadGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    var isOpen: Bool {
        guard semaphore.wait(timeout: .now()) == .success else { return false }
        semaphore.signal()
        return true
    }
}

private func startThread(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "a thread of the test").async(execute: body)
}

/// An observer that is registered on a separate thread and blocks in one of its calls until `goOn()` is called.
private final class Stopped: Sendable {
    let numbers = ReceivedValues<Int>()
    let tokens = Tokens()
    private let isInCall = ThreadGate()
    private let mayGoOn = ThreadGate()
    private let isRegistered = ThreadGate()

    /// Registers the observer, and returns when its call with the given number has begun.
    func register(in center: NativeNotificationCenter, stoppingAt number: Int = 1, onlyEven: Bool = false) {
        startThread { [self] in
            tokens.append(
                center.addObserver(for: State.self, where: { !onlyEven || $0.number % 2 == 0 || $0.number == number }) {
                    [self] note in
                    numbers.append(note.number)
                    guard note.number == number else { return }
                    isInCall.open()
                    mayGoOn.wait()
                })
            isRegistered.open()
        }
        isInCall.wait()
    }

    func goOn() { mayGoOn.open() }

    func waitUntilRegistered() { isRegistered.wait() }
}

/// While an observer receives the latest notification at its registration, later notifications are held back for it.
@Suite(.offThePool) struct ReplayUnderFireTests {
    private let center = NativeNotificationCenter()

    @Test func `finish waits until a registration has handed over all notifications that it holds back`() async {
        let observer = Stopped()
        center.post(State(number: 1))
        observer.register(in: center)
        center.post(State(number: 2))
        center.post(State(number: 3))
        async let left = center.finish(within: .seconds(600))
        await eventually("no observer is left") { center.observations.isEmpty }
        #expect(center.post(State(number: 4)) == 0)
        observer.goOn()
        #expect(await left.isEmpty)
        #expect(observer.numbers.values == [1, 2, 3])
        observer.waitUntilRegistered()
        #expect(center.statistics.rows.map(\.deliveries) == [2])
    }

    @Test func `finish returns an observer as unfinished while a notification is held back for it`() async {
        let observer = Stopped()
        center.post(State(number: 1))
        observer.register(in: center)
        center.post(State(number: 2))
        let clock = ManualClock()
        async let finish = center.finish(within: .seconds(1), clock: clock)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(2))
        let left = await finish
        #expect(left.count == 1 && left.first?.observer.subject.type == State.self)
        observer.goOn()
        observer.waitUntilRegistered()
        #expect(observer.numbers.values == [1, 2], "the held-back notification is handled later")
        #expect(await center.finish(within: .seconds(600)).isEmpty)
    }

    @Test
    func `a held-back notification counts as delivered when it is handed over, unless a condition rejects it`() {
        let observer = Stopped()
        center.post(State(number: 1))
        observer.register(in: center, onlyEven: true)
        #expect(center.post(State(number: 2)) == 0 && center.post(State(number: 3)) == 0)
        #expect(center.statistics.rows.map(\.deliveries) == [0])
        observer.goOn()
        observer.waitUntilRegistered()
        #expect(observer.numbers.values == [1, 2])
        #expect(center.statistics.rows.map(\.deliveries) == [1])
        #expect(center.post(State(number: 4)) == 1 && center.post(State(number: 5)) == 0)
        #expect(center.statistics.rows.map(\.deliveries) == [2])
    }

    @Test func `a held-back notification that is handed over is reported to monitors as a delivery of its post`()
        throws
    {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let observer = Stopped()
        center.post(State(number: 1))
        observer.register(in: center)
        center.post(State(number: 2))
        let post = try #require(monitor.posts.last)
        #expect(post.observers == 0 && monitor.deliveries.isEmpty)
        observer.goOn()
        observer.waitUntilRegistered()
        #expect(monitor.deliveries.count == 2)
        #expect(monitor.deliveries.last?.post == post.id)
        withExtendedLifetime(attachment) {}
    }

    @Test func `a registration does not wait for a registration on another thread`() {
        let observer = Stopped()
        center.post(State(number: 1))
        observer.register(in: center)
        center.post(State(number: 2))
        let numbers = ReceivedValues<Int>()
        let token = center.addObserver(for: State.self) { numbers.append($0.number) }
        #expect(numbers.values == [2])
        #expect(center.post(State(number: 3)) == 1)
        #expect(numbers.values == [2, 3])
        token.cancel()
        observer.goOn()
        observer.waitUntilRegistered()
        #expect(observer.numbers.values == [1, 2, 3])
    }

    @Test func `posts made while an observer handles a held-back notification reach the observer later, in order`() {
        let (numbers, isInCall, isPosted, isRegistered) = (
            ReceivedValues<Int>(), ThreadGate(), ThreadGate(), ThreadGate()
        )
        let tokens = Tokens()
        center.post(State(number: 1))
        startThread { [center] in
            tokens.append(
                center.addObserver(for: State.self) { note in
                    numbers.append(note.number)
                    // The observer receives the second notification after this call, and then waits for more posts.
                    if note.number == 1 { center.post(State(number: 2)) }
                    guard note.number == 2 else { return }
                    isInCall.open()
                    isPosted.wait()
                })
            isRegistered.open()
        }
        isInCall.wait()
        for number in 3...5 { #expect(center.post(State(number: number)) == 0) }
        isPosted.open()
        isRegistered.wait()
        #expect(numbers.values == [1, 2, 3, 4, 5])
        #expect(center.post(State(number: 6)) == 1)
        tokens.cancel()
    }

    @Test func `a registration ends while another thread posts, and its observer receives everything in order`() async {
        let stop = ThreadGate()
        let (center, hasPosted) = (center, ThreadGate())
        center.post(State(number: 0))
        startThread {
            var number = 0
            while !stop.isOpen {
                number += 1
                center.post(State(number: number))
            }
            hasPosted.open()
        }
        for _ in 0..<repetitions(500) {
            let (numbers, tokens) = (ReceivedValues<Int>(), Tokens())
            tokens.append(
                center.addObserver(for: State.self) { [center] note in
                    numbers.append(note.number)
                    // The call takes a long time, but the hand-over still has to catch up with the other thread.
                    for _ in 0..<20 { _ = center.observations.count }
                })
            tokens.cancel()
            let got = numbers.values
            #expect(!got.isEmpty && zip(got, got.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(got)")
        }
        stop.open()
        hasPosted.wait()
    }

    @Test func `the notification of a NaN sender is kept only as the latest of all senders, not of its own sender`() {
        var contents: [WeakCaptured] = []
        for _ in 0..<100 {
            let held = Captured()
            center.post(OfNumber(sender: .nan, held: held))
            contents.append(WeakCaptured(held))
        }
        #expect(contents.count { $0.object != nil } == 1)
        let (all, one) = (ReceivedValues<Double>(), ReceivedValues<Double>())
        let tokens = Tokens()
        tokens.append(center.addObserver(for: OfNumber.self) { all.append($0.sender) })
        tokens.append(center.addObserver(for: OfNumber.self, sender: .nan) { one.append($0.sender) })
        #expect(all.count == 1 && one.values.isEmpty)
        center.post(OfNumber(sender: 1))
        #expect(all.values.last == 1 && one.values.isEmpty)
    }

    @Test func `each post releases the notifications of some deallocated senders, so all are released soon`() {
        let count = 1000
        let one = Account()
        var accounts = (0..<count).map { _ in Account() }
        let contents = accounts.map { account in
            let held = Captured()
            center.post(OfObject(sender: account, held: held))
            return WeakCaptured(held)
        }
        accounts = []
        #expect(contents.count { $0.object != nil } == count)
        for number in 0..<count / 4 { center.post(OfObject(sender: one, number: number)) }
        #expect(contents.allSatisfy { $0.object == nil })
    }

    @Test func `an observer of all senders begins with the latest notification of a living sender`() {
        var accounts = (0..<100).map { _ in Account() }
        for (number, account) in accounts.enumerated() { center.post(OfObject(sender: account, number: number)) }
        let token = Tokens()
        let numbers = ReceivedValues<Int>()
        for left in [90, 50, 7, 1] {
            accounts.removeLast(accounts.count - left)
            token.append(center.addObserver(for: OfObject.self) { numbers.append($0.number) })
            token.cancel()
        }
        #expect(numbers.values == [89, 49, 6, 0])
        // A sender that posts again becomes the latest sender.
        let other = Account()
        center.post(OfObject(sender: other, number: 200))
        center.post(OfObject(sender: accounts[0], number: 201))
        token.append(center.addObserver(for: OfObject.self) { numbers.append($0.number) })
        #expect(numbers.values.last == 201)
        token.cancel()
        accounts = []
        token.append(center.addObserver(for: OfObject.self) { numbers.append($0.number) })
        #expect(numbers.values.last == 200)
        withExtendedLifetime(other) {}
    }

    @MainActor
    @Test func `finish waits until a main-actor observer has received the latest notification`() async {
        center.post(Shown(number: 1))
        let numbers = ReceivedValues<Int>()
        let tokens = Tokens()
        tokens.append(center.addObserver(for: Shown.self) { numbers.append($0.number) })
        #expect(await center.finish(within: .seconds(600)).isEmpty)
        #expect(numbers.values == [1])
    }
}

private final class WeakCaptured: Sendable {
    weak let object: Captured?
    init(_ object: Captured) { self.object = object }
}
