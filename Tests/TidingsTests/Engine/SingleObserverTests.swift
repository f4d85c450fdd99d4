import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsEngine

/// A post to a single observer takes fewer steps than other posts, and must have the same effect.
@Suite(.timeLimit(.minutes(2))) struct SingleObserverTests {
    let center = NativeNotificationCenter()
    let received = ReceivedValues<Int>()

    private func observe(_ number: Int) -> NotificationToken {
        center.addObserver(for: Numbered.self) { [received] _ in received.append(number) }
    }

    /// The engine stores observers in chunks, which have room for 3, 11, 27 and 59 observers.
    @Test(arguments: [1, 3, 4, 14, 15, 41, 42, 110])
    func `when only one observer is left, a post reaches it`(count: Int) {
        for survivor in 0..<count {
            let tokens = (0..<count).map(observe)
            for (number, token) in tokens.enumerated() where number != survivor { token.cancel() }
            let before = received.values.count
            #expect(center.post(Numbered(number: 0)) == 1)
            #expect(received.values.dropFirst(before) == [survivor])
            tokens[survivor].cancel()
            #expect(center.post(Numbered(number: 0)) == 0)
        }
    }

    @Test func `an observer that the only observer adds is first called by the next post`() {
        let tokens = ReceivedValues<NotificationToken>()
        let token = center.addObserver(for: Numbered.self) { note in
            received.append(1)
            if note.number == 0 { tokens.append(observe(2)) }
        }
        #expect(center.post(Numbered(number: 0)) == 1)
        #expect(received.values == [1])
        #expect(center.post(Numbered(number: 1)) == 2)
        #expect(received.values == [1, 1, 2])
        withExtendedLifetime(token) {}
    }

    @Test func `an observer that replaces the only observer during a call is first called by the next post`() {
        let tokens = ReceivedValues<NotificationToken>()
        let token = ReceivedValues<NotificationToken>()
        token.append(
            center.addObserver(for: Numbered.self) { _ in
                received.append(1)
                token.values[0].cancel()
                tokens.append(observe(2))
            })
        #expect(center.post(Numbered(number: 0)) == 1)
        #expect(received.values == [1])
        #expect(center.post(Numbered(number: 0)) == 1)
        #expect(received.values == [1, 2])
    }

    @Test(arguments: [1, 3, 4, 14, 15, 42])
    func `when only one observer of a sender is left, the sender's post reaches it`(count: Int) {
        let (account, other) = (Account(), Account())
        for survivor in 0..<count {
            let tokens = (0..<count).map { number in
                center.addObserver(for: Renamed.self, sender: account) { [received] _ in received.append(number) }
            }
            for (number, token) in tokens.enumerated() where number != survivor { token.cancel() }
            let before = received.values.count
            #expect(center.post(Renamed(sender: account)) == 1)
            #expect(center.post(Renamed(sender: other)) == 0)
            #expect(received.values.dropFirst(before) == [survivor])
            tokens[survivor].cancel()
            #expect(center.post(Renamed(sender: account)) == 0)
        }
    }

    @Test func `observers of all senders and the only observer of one sender are called in order`() {
        let account = Account()
        let first = center.addObserver(for: Renamed.self, sender: account) { [received] _ in received.append(1) }
        let second = center.addObserver(for: Renamed.self) { [received] _ in received.append(2) }
        #expect(center.post(Renamed(sender: account)) == 2)
        #expect(center.post(Renamed(sender: Account())) == 1)
        #expect(received.values == [1, 2, 2])
        second.cancel()
        #expect(center.post(Renamed(sender: account)) == 1)
        first.cancel()
        #expect(center.post(Renamed(sender: account)) == 0)
    }

    @Test func `a nested post also calls the only observer`() {
        let token = center.addObserver(for: Numbered.self) { note in
            received.append(note.number)
            if note.number < 100 { center.post(Numbered(number: note.number + 1)) }
        }
        #expect(center.post(Numbered(number: 0)) == 1)
        #expect(received.values == Array(0...100))
        withExtendedLifetime(token) {}
    }

    @Test func `if the only observer is replaced after a post has begun, the post reaches neither observer`() {
        let host = Host()
        let channel = TypedChannel<Int, Never>(
            .none, host, .beginnings, hasMainActorSenders: false, hasFinished: false)
        @Sendable func add(_ number: Int) -> Entry {
            var observer: Observer<Int>? = Observer { [received] _ in received.append(number) }
            return channel.add(EntryDetails(fileID: #fileID, line: #line, mode: 0), taking: &observer)
        }
        func post() -> Int? { channel.postIfUsual(0) { _ in preconditionFailure("this type has no senders") } }
        let first = add(1)
        let entries = Lock([first])
        host.action.withLock {
            $0 = {
                first.cancel(.cancelled)
                let second = add(2)
                entries.withLock { $0.append(second) }
            }
        }
        #expect(post() == 0)
        #expect(received.values.isEmpty)
        host.action.withLock { $0 = nil }
        #expect(post() == 1)
        #expect(received.values == [2])
        let all = entries.withLock { $0 }
        all[1].cancel(.cancelled)
        for entry in all { entry.chunk.release() }
        channel.close()
    }

    /// In `willPost()`, a center restarts its monitors' timers. A timer stops again if it finds no post and no call.
    @Test func `a post, or a call outside a post, is already visible when willPost is called`() {
        let host = Host()
        let channel = TypedChannel<Int, Never>(
            .none, host, .beginnings, hasMainActorSenders: false, hasFinished: false)
        var observer: Observer<Int>? = Observer { _ in }
        let entry = channel.add(EntryDetails(fileID: #fileID, line: #line, mode: 0), taking: &observer)
        let areVisible = Lock<[Bool]>([])
        host.action.withLock {
            $0 = {
                let isVisible = channel.hasPost || channel.isCalling(entry)
                areVisible.withLock { $0.append(isVisible) }
            }
        }
        #expect(!channel.hasPost)
        #expect(channel.postIfUsual(0) { _ in preconditionFailure("this type has no senders") } == 1)
        #expect(channel.call(entry, with: 0))
        #expect(areVisible.withLock { $0 } == [true, true])
        #expect(!channel.hasPost)
        host.action.withLock { $0 = nil }
        entry.cancel(.cancelled)
        entry.chunk.release()
        channel.close()
    }
}

/// A substitute for a center. It runs a closure before the first call of each post.
private final class Host: ChannelHost {
    let action = Lock<(@Sendable () -> Void)?>(nil)

    var keepsEnded: Bool { false }
    var admitsPosts: Bool { false }
    var modeLookedAt: UInt8 { .max }

    func willPost() { action.withLock { $0 }?() }

    func isAlive(_ tie: AnyObject) -> Bool { true }
    func owner(of tie: AnyObject) -> UInt { 0 }
    func didAdd(_ entry: Entry, _ details: EntryDetails) {}
    func didEnd(_ entry: Entry, _ details: EntryDetails, _ end: EntryEnd) {}
    func cannotCompare(_ type: Any.Type) -> Never { preconditionFailure("\(type) has no senders") }
}
