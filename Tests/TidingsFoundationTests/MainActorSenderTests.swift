import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

private let strayUses = Lock<[String]>([])

/// Records the caller's thread and call stack, unless the caller runs on the main actor: on the main queue, which any
/// thread may serve, or on the main thread.
private func noteUse() {
    if DispatchQueue.getSpecific(key: mainQueue) != nil || Thread.isMainThread { return }
    let place = "on \(Thread.current): \(Thread.callStackSymbols.prefix(20))"
    strayUses.withLock { $0.append(place) }
}

/// An object that only the main actor may use, although the compiler doesn't check that.
// `Sendable`, because tests use a window after passing it as a `sending` argument. `noteUse()` records uses off the
// main actor.
private final class Window: @unchecked Sendable {
    // The variable has no lock, so that the thread sanitizer reports uses off the main actor.
    nonisolated(unsafe) static var ended = 0

    let title: String
    init(_ title: String) { self.title = title }

    deinit {
        noteUse()
        unsafe Window.ended += 1
    }
}

@MainActor private final class Owner {}

/// A value that may only be compared on the main actor.
private struct Place: Hashable {
    var row: Int
    static func == (lhs: Place, rhs: Place) -> Bool {
        noteUse()
        return lhs.row == rhs.row
    }
    func hash(into hasher: inout Hasher) {
        noteUse()
        hasher.combine(row)
    }
}

private struct WindowMoved: MainActorBridgedNotification, Codable {
    static let name = "MainActorSenderTests.WindowMoved"
    @NotificationSender var sender: Window
}

private struct PlaceChanged: MainActorBridgedNotification {
    static let name = "MainActorSenderTests.PlaceChanged"
    let sender: Place

    init(_ sender: Place) { self.sender = sender }
    init(bridging notification: Notification) throws(NotificationDecodingError) {
        sender = try UserInfoReader(notification).object(as: Place.self)
    }
    func bridged() throws(NotificationEncodingError) -> Notification {
        Notification(name: Notification.Name(Self.name), object: sender)
    }
}

/// Tests the senders of main-actor notifications. These senders need not be `Sendable`. Any thread may post on
/// Foundation's center, but the center uses such a sender only on the main actor.
@MainActor
@Suite(.serialized, .timeLimit(.ofRandomPrograms)) struct MainActorSenderTests {
    private let center = NotificationCenter()

    init() {
        _ = mainQueue
        strayUses.withLock { $0 = [] }
    }

    /// Waits until the main actor has run everything that was enqueued before.
    private func catchUp() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    @Test func `promise 10, isolation: senders are compared only on the main actor, even for a post on another thread`()
        async
    {
        Reports.collect()
        var seen: [Int] = []
        let tokens = [
            center.addObserver(for: PlaceChanged.self, sender: Place(row: 1)) { note in seen.append(note.sender.row) },
            center.addObserver(for: PlaceChanged.self, sender: Place(row: 2)) { note in seen.append(note.sender.row) },
        ]
        let center = center
        await onThread {
            center.post(name: Notification.Name(PlaceChanged.name), object: Place(row: 1))
            center.post(name: Notification.Name(PlaceChanged.name), object: Place(row: 3))
        }
        await catchUp()
        #expect(seen == [1])
        #expect(center.post(PlaceChanged(Place(row: 2))) == 1)
        #expect(seen == [1, 2])
        #expect(strayUses.withLock { $0 } == [])
        withExtendedLifetime(tokens) {}
    }

    @Test func `promise 10, isolation: a post off the main actor never holds the last reference to a sender`() async {
        Reports.collect()
        let rounds = repetitions(5_000)
        let center = center
        let owner = Owner()
        let over = Gate()
        unsafe Window.ended = 0
        await withTaskGroup { group in
            group.addTask {
                await onThread {
                    let object = NSObject()
                    while !over.isOpen {
                        // Waits until the main queue has handled the earlier posts, so that they don't accumulate.
                        DispatchQueue.main.sync {}
                        for _ in 0..<50 {
                            center.post(name: Notification.Name(WindowMoved.name), object: object)
                            center.post(name: Notification.Name(WindowMoved.name), object: nil)
                        }
                    }
                }
            }
            for number in 0..<rounds {
                var windows = (0..<10).map { Window("\($0)") }
                let tokens = windows.map { window in
                    // Because the observer has an owner, every post checks both the owner and the sender.
                    center.addObserver(owner, for: WindowMoved.self, sender: window) { _, _ in
                        Issue.record("the observer was called for another sender")
                    }
                }
                windows = []
                withExtendedLifetime(tokens) {}
                if number.isMultiple(of: 10) { await Task.yield() }
            }
            over.open()
            await group.waitForAll()
        }
        await catchUp()
        #expect(unsafe Window.ended == 10 * rounds)
        #expect(strayUses.withLock { $0 } == [])
    }

    @Test func `promise 7, senders: a deallocated sender ends the observation, and the next post releases its closure`()
    {
        weak let captured: Window?
        var token: NotificationToken?
        do {
            let (window, other) = (Window("sender"), Window("captured"))
            captured = other
            token = center.addObserver(for: WindowMoved.self, sender: window) { _ in _ = other.title }
            #expect(token?.isActive == true)
            #expect(center.post(WindowMoved(sender: window)) == 1)
            #expect(center.post(WindowMoved(sender: other)) == 0)
        }
        #expect(token?.isActive == false)
        center.post(name: Notification.Name(WindowMoved.name), object: nil)
        #expect(captured == nil)
        #expect(center.observations.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `an observer's sender is in the list of observations`() {
        let window = Window("A")
        let tokens = [
            center.addObserver(for: WindowMoved.self, sender: window) { _ in },
            center.addObserver(for: PlaceChanged.self, sender: Place(row: 7)) { _ in },
            center.addObserver(for: PlaceChanged.self) { _ in },
        ]
        let senders = center.observations.map(\.sender)
        #expect(senders.first??.contains("Window (0x") == true)
        #expect(senders.dropFirst().first??.hasSuffix("Place") == true)
        #expect(senders.last == .some(nil))
        withExtendedLifetime(tokens) {}
    }

    @Test func `a post by another sender, or off the main actor, isn't counted as a delivery to the observer`() async {
        Reports.collect()
        let (center, monitor) = (NotificationCenter(), RecordingMonitor())
        let attachment = center.attach(monitor)
        let numbers = ReceivedValues<Int>()
        func deliveries() -> Int? {
            center.statistics.rows.first { $0.subject.name.hasSuffix("PlaceChanged") }?.deliveries
        }
        let tokens = [
            center.addObserver(for: PlaceChanged.self, sender: Place(row: 1)) { _ in numbers.append(1) },
            center.addObserver(for: PlaceChanged.self, sender: Place(row: 2)) { _ in numbers.append(2) },
            center.addObserver(for: PlaceChanged.self, sender: Place(row: 1), where: { _ in false }) { _ in
                numbers.append(3)
            },
        ]
        #expect(center.post(PlaceChanged(Place(row: 1))) == 1)
        #expect(deliveries() == 1)
        #expect(center.post(PlaceChanged(Place(row: 3))) == 0)
        #expect(deliveries() == 1)
        // This post is made off the main actor, so it calls no observer. The center repeats it on the main actor.
        await onThread { center.post(name: Notification.Name(PlaceChanged.name), object: Place(row: 2)) }
        await catchUp()
        #expect(deliveries() == 2)
        #expect(numbers.values == [1, 2])
        #expect(monitor.deliveries.count == 2)
        withExtendedLifetime((tokens, attachment)) {}
    }

    @Test func `promise 2, order: observers limited to a sender run in the order of registration`() {
        let window = Window("A")
        var seen: [Int] = []
        let tokens = (0..<20).map { number in
            number.isMultiple(of: 3)
                ? center.addObserver(for: WindowMoved.self) { _ in seen.append(number) }
                : center.addObserver(for: WindowMoved.self, sender: window) { _ in seen.append(number) }
        }
        #expect(center.post(WindowMoved(sender: window)) == 20)
        #expect(seen == Array(0..<20))
        withExtendedLifetime(tokens) {}
    }
}
