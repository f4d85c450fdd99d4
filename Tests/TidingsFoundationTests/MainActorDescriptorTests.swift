import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

@MainActor
private final class Window {
    var title = "one"
}

private struct WindowMoved: MainActorNotificationDescriptor {
    struct Payload { let window: Window }
    var name = Notification.Name("MainActorDescriptorTests.WindowMoved")
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct MainActorDescriptorTests {
    private let center = NotificationCenter()

    @Test func `observers are main-actor closures that are called during the post`() throws {
        var titles: [String] = []
        let token = center.addObserver(descriptor: WindowMoved()) { payload in titles.append(payload.window.title) }
        try center.post(WindowMoved(), payload: .init(window: Window()))
        #expect(titles == ["one"])
        token.cancel()
        try center.post(WindowMoved(), payload: .init(window: Window()))
        #expect(titles == ["one"])
    }

    @Test func `a post in a task, on the main queue, or after an await calls the observers before it returns`() async {
        var calls = 0
        let token = center.addObserver(resultOf: WindowMoved()) { _ in calls += 1 }
        center.post(name: WindowMoved().name, object: nil)
        #expect(calls == 1)
        await Task.yield()
        center.post(name: WindowMoved().name, object: nil)
        #expect(calls == 2)
        await Task { @MainActor in
            center.post(name: WindowMoved().name, object: nil)
            #expect(calls == 3)
        }.value
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { [center] in
                center.post(name: WindowMoved().name, object: nil)
                MainActor.assumeIsolated { #expect(calls == 4) }
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            OperationQueue.main.addOperation { [center] in
                center.post(name: WindowMoved().name, object: nil)
                MainActor.assumeIsolated { #expect(calls == 5) }
                continuation.resume()
            }
        }
        withExtendedLifetime(token) {}
    }

    @Test func `posts on another thread are delivered on the main actor afterwards, in order, and reported`() async {
        let descriptor = WindowMoved(name: Notification.Name("MainActorDescriptorTests.thread"))
        Reports.collect()
        var numbers: [Int] = []
        let arrived = Gate()
        let token = center.addObserver(descriptor: Numbered(name: descriptor.name)) { number in
            numbers.append(number)
            if number == 99 { arrived.open() }
        }
        await onThread { [center] in
            for number in 0..<100 { center.post(name: descriptor.name, object: number) }
        }
        await arrived.wait()
        #expect(numbers == Array(0..<100))
        let reports = Reports.of(descriptor.name.rawValue)
        #expect(reports.map(\.kind) == Array(repeating: .postedOffMainActor, count: 100))
        #expect(reports.first?.description == "MainActorDescriptorTests.thread: was posted off the main actor")
        #expect(reports.first?.error == nil)
        withExtendedLifetime(token) {}
    }

    @Test func `a post in a detached task is delivered before the task's later posts on the main actor`() async {
        let name = Notification.Name("MainActorDescriptorTests.task")
        Reports.collect()
        var numbers: [Int] = []
        let token = center.addObserver(descriptor: Numbered(name: name)) { number in numbers.append(number) }
        await Task.detached { [center] in
            center.post(name: name, object: 1)
            await MainActor.run { center.post(name: name, object: 2) }
        }.value
        #expect(numbers == [1, 2])
        withExtendedLifetime(token) {}
    }

    @Test func `a post off the main actor calls nonisolated observers during the post, and is reported once`() async {
        let name = Notification.Name("MainActorDescriptorTests.mixed")
        Reports.collect()
        let received = ReceivedValues<String>()
        let arrived = Gate()
        let tokens = [
            center.addObserver(descriptor: Numbered(name: name)) { number in received.append("main \(number)") },
            center.addObserver(resultOf: PayloadDescriptor<Int>(name: name)) { _ in received.append("anywhere") },
            center.addObserver(descriptor: Numbered(name: name)) { _ in arrived.open() },
        ]
        await onThread { [center] in
            center.post(name: name, object: 1)
            received.append("posted")
        }
        await arrived.wait()
        #expect(received.values.count == 3)
        #expect(received.values.first == "anywhere")
        #expect(received.values.contains("main 1"))
        #expect(Reports.of(name.rawValue).count == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a post off the main actor isn't delivered to observers that were cancelled or added after the post`()
        async
    {
        let name = Notification.Name("MainActorDescriptorTests.late")
        Reports.collect()
        var calls: [String] = []
        let cancelled = center.addObserver(descriptor: Numbered(name: name)) { _ in calls.append("cancelled") }
        // This code doesn't suspend, so the post is handled after one observer was cancelled and the other was added.
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [center] in
            center.post(name: name, object: 1)
            isDone.signal()
        }
        MainQueue.wait(for: isDone)
        cancelled.cancel()
        let added = center.addObserver(descriptor: Numbered(name: name)) { _ in calls.append("added") }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(calls.isEmpty)
        center.post(name: name, object: 2)
        #expect(calls == ["added"])
        withExtendedLifetime(added) {}
    }

    @Test
    func `observers of results receive an error on the main actor for an invalid post off the main actor`() async {
        let name = Notification.Name("MainActorDescriptorTests.bad")
        Reports.collect()
        let arrived = Gate()
        var reasons: [NotificationDecodingError.Reason] = []
        let tokens = [
            center.addObserver(descriptor: Numbered(name: name)) { _ in },
            center.addObserver(resultOf: Numbered(name: name)) { result in
                if case .failure(let error) = result { reasons.append(error.reason) }
                arrived.open()
            },
        ]
        await onThread { [center] in center.post(name: name, object: "one") }
        await arrived.wait()
        #expect(reasons == [.mistyped])
        #expect(Reports.of(name.rawValue).map(\.kind) == [.postedOffMainActor, .undecodable])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a post is reported as undecodable once, even if decoding also fails on the main actor`() async {
        let name = Notification.Name("MainActorDescriptorTests.once")
        Reports.collect()
        let arrived = Gate()
        let tokens = [
            center.addObserver(descriptor: PayloadDescriptor<Int>(name: name)) { _ in },
            center.addObserver(descriptor: Counted(name: name)) { _ in },
            center.addObserver(resultOf: Counted(name: name)) { _ in arrived.open() },
        ]
        await onThread { [center] in center.post(name: name, object: nil) }
        await arrived.wait()
        #expect(Reports.of(name.rawValue).map(\.kind) == [.undecodable, .postedOffMainActor])
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observer can be tied to an owner, which it receives on the main actor`() throws {
        var titles: [String] = []
        let token: NotificationToken
        do {
            let owner = Window()
            token = center.addObserver(owner, descriptor: WindowMoved()) { me, payload in
                titles.append(me.title + payload.window.title)
            }
            try center.post(WindowMoved(), payload: .init(window: Window()))
            withExtendedLifetime(owner) {}
        }
        #expect(titles == ["oneone"])
        #expect(!token.isActive)
        try center.post(WindowMoved(), payload: .init(window: Window()))
        #expect(titles == ["oneone"])
    }

    @Test func `an observer can be limited to an object`() throws {
        let sender = Window()
        var calls = 0
        let token = center.addObserver(descriptor: WindowMoved(), object: sender) { _ in calls += 1 }
        try center.post(WindowMoved(), payload: .init(window: Window()), object: sender)
        try center.post(WindowMoved(), payload: .init(window: Window()), object: Window())
        try center.post(WindowMoved(), payload: .init(window: Window()))
        #expect(calls == 1)
        withExtendedLifetime(token) {}
    }
}

private struct Counted: MainActorNotificationDescriptor {
    typealias Payload = Int
    let name: Notification.Name
}

private struct Numbered: MainActorNotificationDescriptor {
    let name: Notification.Name

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Int {
        if let number = notification.object as? Int { return number }
        throw NotificationDecodingError(
            notification: name.rawValue, keyPath: [], expected: "Int",
            found: notification.object.map { "\(type(of: $0))" }, reason: .mistyped)
    }
}

/// Waits in a synchronous function, because `DispatchSemaphore.wait()` isn't available in asynchronous code.
private enum MainQueue {
    static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}
