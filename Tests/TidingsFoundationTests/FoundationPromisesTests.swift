import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Account: Sendable {}

private struct Changed: TypedNotification {
    static let name = "FoundationPromisesTests.Changed"
    let sender: Account
    var value = 0
}

private struct Cleared: TypedNotification {
    static let name = "FoundationPromisesTests.Cleared"
}

private struct Described: NotificationDescriptor {
    typealias Payload = Int
    let name: Notification.Name
}

/// Tests that Foundation's center keeps the documented promises, as far as Foundation's code makes this possible.
@Suite(.offThePool) struct FoundationPromisesTests {
    private let center = NotificationCenter()

    // MARK: 1

    @Test func `promise 1, identity: a post calls only observers of its type and center, even if types share a name`() {
        struct Here: TypedNotification { static let name = "FoundationPromisesTests.identity" }
        struct There: TypedNotification { static let name = "FoundationPromisesTests.identity" }
        Reports.collect()
        let received = ReceivedValues<String>()
        let other = NotificationCenter()
        let tokens = [
            center.addObserver(for: Here.self) { _ in received.append("here") },
            center.addObserver(for: There.self) { _ in received.append("there") },
            other.addObserver(for: Here.self) { _ in received.append("other center") },
        ]
        #expect(center.post(Here()) == 1)
        #expect(received.values == ["here"])
        #expect(Reports.of(Here.name).compactMap(\.error?.reason) == [.mistyped])
        withExtendedLifetime(tokens) {}
    }

    @Test func `promise 1, identity: an instance of a subclass reaches the observers of its static type`() {
        class Base: TypedNotification, @unchecked Sendable {
            class var name: String { "FoundationPromisesTests.Base" }
        }
        final class Derived: Base, @unchecked Sendable {
            override class var name: String { "FoundationPromisesTests.Derived" }
        }
        let received = ReceivedValues<String>()
        let tokens = [
            center.addObserver(for: Base.self) { _ in received.append("base") },
            center.addObserver(for: Derived.self) { _ in received.append("derived") },
        ]
        center.post(Derived() as Base)
        center.post(Derived())
        #expect(received.values == ["base", "derived"])
        withExtendedLifetime(tokens) {}
    }

    // MARK: 2

    @Test func `promise 2, order: observers run in the order of registration, whichever method registered them`() throws
    {
        let received = ReceivedValues<Int>()
        let account = Account()
        let name = Notification.Name(Changed.name)
        let tokens = (0..<200).map { number in
            switch number % 4 {
            case 0: center.addObserver(for: Changed.self) { _ in received.append(number) }
            case 1: center.addObserver(for: Changed.self, sender: account) { _ in received.append(number) }
            case 2: center.addObserver(resultOf: Described(name: name)) { _ in received.append(number) }
            default:
                center.addObserver(resultOf: Described(name: name), object: account) { _ in received.append(number) }
            }
        }
        center.post(Changed(sender: account))
        #expect(received.values == Array(0..<200))
        withExtendedLifetime(tokens) {}
    }

    // MARK: 3

    @Test func `promise 3, membership: an observer added during a post receives the next post`() {
        let received = ReceivedValues<String>()
        let tokens = Tokens()
        tokens.append(
            center.addObserver(for: Cleared.self) { [center] _ in
                received.append("first")
                tokens.append(center.addObserver(for: Cleared.self) { _ in received.append("added") })
            })
        #expect(center.post(Cleared()) == 1)
        #expect(center.post(Cleared()) == 2)
        #expect(received.values == ["first", "first", "added"])
        tokens.cancel()
    }

    @Test
    func `promise 3, membership: a typed observer, added by an untyped one during a post, receives the next post`() {
        // Foundation calls untyped observers in any order. Of the 50 that are added below, some run before the typed
        // observers.
        let tokens = Tokens()
        let late = ReceivedValues<Int>()
        let existing = center.addObserver(for: Cleared.self) { _ in }
        let classic = (0..<50).map { _ in
            center.addObserver(forName: Notification.Name(Cleared.name), object: nil, queue: nil) { [center] _ in
                tokens.append(center.addObserver(for: Cleared.self) { _ in late.append(1) })
            }
        }
        #expect(center.post(Cleared()) == 1)
        #expect(late.count == 0)
        for receipt in classic { center.removeObserver(receipt) }
        #expect(center.post(Cleared()) == 51)
        withExtendedLifetime(existing) {}
    }

    @Test func `promise 3, membership: an observer that an earlier observer cancels during a post isn't called`() {
        let received = ReceivedValues<String>()
        let tokens = Tokens()
        let first = center.addObserver(for: Cleared.self) { _ in
            received.append("first")
            tokens.cancel()
        }
        tokens.append(center.addObserver(for: Cleared.self) { _ in received.append("second") })
        #expect(center.post(Cleared()) == 1)
        #expect(received.values == ["first"])
        withExtendedLifetime(first) {}
    }

    // MARK: 4

    @Test func `promise 4, reentrancy: an observer can post, add and cancel observers, including itself`() {
        let account = Account()
        let received = ReceivedValues<Int>()
        let tokens = Tokens()
        tokens.append(
            center.addObserver(for: Changed.self) { [center] note in
                received.append(note.value)
                if note.value == 50 { tokens.append(center.addObserver(for: Cleared.self) { _ in }) }
                if note.value < 100 { center.post(Changed(sender: account, value: note.value + 1)) }
                if note.value == 100 { tokens.cancel() }
            })
        center.post(Changed(sender: account))
        #expect(received.values == Array(0...100))
        #expect(center.post(Changed(sender: account)) == 0)
        #expect(center.post(Cleared()) == 0)
    }

    // MARK: 5

    @Test func `promise 5, cancel: after a cancel, no new post on any thread calls the closure`() async {
        let threads = 8
        #if TSAN
            let rounds = 5_000
        #else
            let rounds = 2_000
        #endif
        let calls = ReceivedValues<Int>()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<threads {
                group.addTask { [center] in
                    let account = Account()
                    for _ in 0..<rounds {
                        let (called, over) = (Gate(), Gate())
                        let token = center.addObserver(for: Changed.self, sender: account) { _ in
                            if over.isOpen { calls.append(1) } else { called.open() }
                        }
                        center.post(Changed(sender: account))
                        if !called.isOpen { Issue.record("the observer wasn't called before the cancel") }
                        token.cancel()
                        over.open()
                        center.post(Changed(sender: account))
                    }
                }
            }
        }
        #expect(calls.count == 0)
        #expect(center.post(Changed(sender: Account())) == 0)
    }

    @Test func `promise 5, cancel: draining waits for the running call`() async {
        let isRunning = Gate()
        let mayEnd = DispatchSemaphore(value: 0)
        let received = ReceivedValues<String>()
        let token = center.addObserver(for: Cleared.self) { _ in
            isRunning.open()
            mayEnd.wait()
            received.append("observer")
        }
        Thread.detachNewThread { [center] in center.post(Cleared()) }
        await isRunning.wait()
        async let drained: Void = {
            await token.cancelAndDrain()
            received.append("drained")
        }()
        mayEnd.signal()
        await drained
        #expect(received.values == ["observer", "drained"])
    }

    // MARK: 6

    @Test func `promise 6, lifetime: an observer's captures are released when it is cancelled`() {
        let token: NotificationToken
        weak let captured: Account?
        do {
            let account = Account()
            captured = account
            token = center.addObserver(for: Cleared.self) { _ in withExtendedLifetime(account) {} }
        }
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
    }

    @Test func `promise 6, lifetime: a deallocated owner ends the observation, and the next post releases the closure`()
    {
        weak let captured: Account?
        let token: NotificationToken
        do {
            let owner = Account()
            let account = Account()
            captured = account
            token = center.addObserver(owner, for: Cleared.self) { _, _ in withExtendedLifetime(account) {} }
            #expect(center.post(Cleared()) == 1)
            #expect(token.isActive)
        }
        #expect(!token.isActive)
        center.post(Cleared())
        #expect(captured == nil)
    }

    @Test func `promise 6, lifetime: a center can be released while it has observers`() {
        weak let captured: Account?
        weak let weakCenter: NotificationCenter?
        let token: NotificationToken
        do {
            let center = NotificationCenter()
            let account = Account()
            captured = account
            weakCenter = center
            token = center.addObserver(for: Cleared.self) { _ in withExtendedLifetime(account) {} }
            #expect(token.isActive)
        }
        #expect(weakCenter == nil)
        #expect(captured == nil)
        #expect(!token.isActive)
        token.cancel()
        NotificationCenter().removeObserver(token)
    }

    @Test func `promise 6, lifetime: a center can be released by its own observer`() {
        weak let weakCenter: NotificationCenter?
        let received = ReceivedValues<Int>()
        do {
            nonisolated(unsafe) var center: NotificationCenter? = NotificationCenter()
            weakCenter = unsafe center
            let tokens = (0..<3).map { number in
                unsafe center?.addObserver(for: Cleared.self) { _ in
                    received.append(number)
                    unsafe center = nil
                }
            }
            let observed = unsafe center
            unsafe center = nil
            observed?.post(Cleared())
            withExtendedLifetime(tokens) {}
        }
        #expect(weakCenter == nil)
        #expect(received.values == [0, 1, 2])
    }

    @Test func `promise 6, lifetime: a new center has no observers of a deallocated center, even at the same address`()
    {
        for number in 0..<1_000 {
            let center = NotificationCenter()
            let received = ReceivedValues<Int>()
            let token = center.addObserver(descriptor: Described(name: Notification.Name("\(number % 10)"))) {
                received.append($0)
            }
            try? center.post(Described(name: Notification.Name("\(number % 10)")), payload: number)
            #expect(received.values == [number])
            if number.isMultiple(of: 2) { token.cancel() }
            withExtendedLifetime(token) {}
        }
    }

    // MARK: 9

    @Test func `promise 9, bad input: an untyped post without the typed value is reported once, and nothing traps`() {
        struct Typed: TypedNotification { static let name = "FoundationPromisesTests.bad" }
        Reports.collect()
        let received = ReceivedValues<String>()
        let tokens = [
            center.addObserver(for: Typed.self) { _ in received.append("typed") },
            center.addObserver(for: Typed.self) { _ in received.append("typed") },
            center.addObserver(resultOf: Described(name: Notification.Name(Typed.name))) { result in
                if case .failure(let error) = result { received.append("\(error.reason)") }
            },
        ]
        center.post(name: Notification.Name(Typed.name), object: nil, userInfo: ["key": 1])
        #expect(received.values == ["no value"])
        #expect(
            Reports.of(Typed.name).map(\.error) == [
                NotificationDecodingError(
                    notification: Typed.name, keyPath: [], expected: "Typed", found: nil, reason: .untyped,
                    detail: "adopt BridgedNotification, or use a descriptor")
            ])
        center.post(name: Notification.Name(Typed.name), object: nil)
        #expect(Reports.of(Typed.name).count == 2)
        #expect(center.post(Typed()) == 2)
        withExtendedLifetime(tokens) {}
    }
}
