import TestSupport
import Testing
import Tidings
import TidingsConformance
import TidingsTesting

private struct Ping: TypedNotification {}
private struct Changed: TypedNotification { let sender: Account }

@Suite(.timeLimit(.minutes(2))) struct TokenTests {
    let center = NativeNotificationCenter()
    let received = ReceivedValues<Int>()

    private func observe() -> NotificationToken {
        center.addObserver(for: Ping.self) { [received] _ in received.append(1) }
    }

    @Test func `a token is active until it is cancelled`() {
        let token = observe()
        #expect(token.isActive)
        token.cancel()
        #expect(!token.isActive)
        token.cancel()
        #expect(!token.isActive)
    }

    @Test func `a token is active until its owner is deallocated`() {
        var owner: Account? = Account()
        let token = owner.map { center.addObserver($0, for: Ping.self) { _, _ in } }
        #expect(token?.isActive == true)
        owner = nil
        #expect(token?.isActive == false)
    }

    @Test func `a token is active until its sender is deallocated`() {
        var account: Account? = Account()
        let token = center.addObserver(for: Changed.self, sender: account) { _ in }
        #expect(token.isActive)
        account = nil
        #expect(!token.isActive)
    }

    @Test func `a token is active until its center is deallocated`() {
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let owner = Account()
        let token = center?.addObserver(for: Ping.self) { _ in }
        let owned = center?.addObserver(owner, for: Ping.self) { _, _ in }
        #expect(token?.isActive == true && owned?.isActive == true)
        center = nil
        #expect(token?.isActive == false && owned?.isActive == false)
        token?.cancel()
        owned?.cancel()
        withExtendedLifetime(owner) {}
    }

    @Test func `the token of an owned observer is no longer active after it was cancelled`() {
        let owner = Account()
        let token = center.addObserver(owner, for: Ping.self) { _, _ in }
        token.cancel()
        #expect(!token.isActive)
        withExtendedLifetime(owner) {}
    }

    @Test func `a token that is released ends the observation`() {
        var token: NotificationToken? = observe()
        #expect(center.post(Ping()) == 1)
        withExtendedLifetime(token) {}
        token = nil
        #expect(center.post(Ping()) == 0)
    }

    @Test func `a collection keeps the tokens that are stored in it`() {
        var array: [NotificationToken] = []
        var contiguous: ContiguousArray<NotificationToken> = []
        var set: Set<NotificationToken> = []
        observe().store(in: &array)
        observe().store(in: &contiguous)
        observe().store(in: &set)
        #expect(center.post(Ping()) == 3)
        array = []
        #expect(center.post(Ping()) == 2)
        contiguous.removeAll()
        #expect(center.post(Ping()) == 1)
        set.removeAll()
        #expect(center.post(Ping()) == 0)
    }

    @Test func `a token equals only itself`() {
        let (token, other) = (observe(), observe())
        #expect(token == token)
        #expect(token != other)
        #expect(Set([token, other, token]).count == 2)
    }

    @Test func `many threads can cancel and release the same tokens at once`() async {
        let tokens = Lock((0..<1000).map { _ in observe() })
        let kept = observe()
        await onThreads(4) { _ in
            while let token = tokens.withLock({ $0.last }) {
                token.cancel()
                tokens.withLock { tokens in if tokens.last === token { tokens.removeLast() } }
            }
        }
        #expect(center.post(Ping()) == 1)
        withExtendedLifetime(kept) {}
    }
}
