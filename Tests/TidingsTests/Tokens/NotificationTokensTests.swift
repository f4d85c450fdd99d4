import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

private final class Last: Sendable {
    private let act: @Sendable () -> Void
    init(_ act: @escaping @Sendable () -> Void) { self.act = act }
    deinit { act() }
    func touch() {}
}

/// Each test uses its own holder, on one thread only.
private final class Holder: @unchecked Sendable {
    var tokens = NotificationTokens()
}

@Suite(.timeLimit(.minutes(2))) struct NotificationTokensTests {
    let center = NativeNotificationCenter()

    private func observe() -> NotificationToken { center.addObserver(for: Ping.self) { _ in } }

    @Test func `tokens live as long as their scope`() {
        do {
            var tokens = NotificationTokens((0..<2).map { _ in observe() })
            observe().store(in: &tokens)
            #expect(tokens.count == 3)
            #expect(center.post(Ping()) == 3)
        }
        #expect(center.post(Ping()) == 0)
    }

    @Test func `tokens live as long as the object that holds them`() {
        do {
            let holder = Holder()
            for _ in 0..<3 { observe().store(in: &holder.tokens) }
            #expect(center.post(Ping()) == 3)
            withExtendedLifetime(holder) {}
        }
        #expect(center.post(Ping()) == 0)
    }

    @Test func `removing all tokens ends their observations, unless the caller keeps the returned tokens`() async {
        var tokens = NotificationTokens()
        for _ in 0..<3 { observe().store(in: &tokens) }
        let kept = tokens.removeAll()
        #expect(tokens.count == 0)
        #expect(center.post(Ping()) == 3)
        for token in kept { await token.cancelAndDrain() }
        #expect(center.post(Ping()) == 0)
        observe().store(in: &tokens)
        tokens.removeAll()
        #expect(center.post(Ping()) == 0)
    }

    @Test func `releasing the stored token of an observer with an owner doesn't end the observation`() {
        let owner = Account()
        do {
            let tokens = NotificationTokens([center.addObserver(owner, for: Ping.self) { _, _ in }])
            #expect(tokens.count == 1)
        }
        #expect(center.post(Ping()) == 1)
        withExtendedLifetime(owner) {}
    }

    @Test func `a captured object's deinit can remove and store tokens`() {
        let holder = Holder()
        do {
            let last = Last { [center] in
                holder.tokens.removeAll()
                center.addObserver(for: Ping.self) { _ in }.store(in: &holder.tokens)
            }
            center.addObserver(for: Ping.self) { _ in last.touch() }.store(in: &holder.tokens)
        }
        holder.tokens.removeAll()
        #expect(holder.tokens.count == 1)
        #expect(center.post(Ping()) == 1)
        holder.tokens.removeAll()
    }
}
