import TestSupport
import Testing
import Tidings
import TidingsConformance
import TidingsTesting

private struct Ping: TypedNotification {}
private struct FromSource: TypedNotification { let sender: Source }
private final class Source: Sendable {}

@Suite(.offThePool) struct CenterEndTests {
    @Test func `a center released during a post still calls every observer`() {
        let center = Lock<NativeNotificationCenter?>(NativeNotificationCenter())
        let census = Census()
        let received = ReceivedValues<Int>()
        let tokens = (0..<10).compactMap { number in
            let member = census.member()
            return center.withLock { $0 }?.addObserver(for: Ping.self) { _ in
                member.touch()
                _ = center.withLock { $0.take() }
                received.append(number)
            }
        }
        let calls = center.withLock { $0 }?.post(Ping())
        #expect(calls == 10)
        #expect(received.values == Array(0..<10))
        #expect(census.alive == 0)
        #expect(tokens.allSatisfy { !$0.isActive })
    }

    @Test func `a center can be released while other threads cancel and release its tokens`() async {
        let census = Census()
        for _ in 0..<500 {
            let center = Lock<NativeNotificationCenter?>(NativeNotificationCenter())
            let (owner, source) = (Source(), Source())
            let tokens = Lock<[NotificationToken]>([])
            center.withLock { center in
                guard let center else { return }
                for number in 0..<20 {
                    let member = census.member()
                    let sender = number.isMultiple(of: 2) ? source : nil
                    let token =
                        number % 3 == 0
                        ? center.addObserver(owner, for: FromSource.self, sender: sender) { _, _ in member.touch() }
                        : center.addObserver(for: FromSource.self, sender: sender) { _ in member.touch() }
                    tokens.withLock { $0.append(token) }
                }
            }
            await onThreads(3) { thread in
                if thread == 0 {
                    _ = center.withLock { $0.take() }
                } else {
                    while let token = tokens.withLock({ $0.popLast() }) { if thread == 1 { token.cancel() } }
                }
            }
            withExtendedLifetime((owner, source)) {}
        }
        #expect(census.alive == 0)
    }

    @Test func `notifications queued for asynchronous observers are handled after the center is released`() async {
        let received = ReceivedValues<Int>()
        let token = {
            let center = NativeNotificationCenter()
            let token = center.addObserver(on: .task, for: Ping.self) { _ in
                await Task.yield()
                received.append(1)
            }
            for _ in 0..<3 { center.post(Ping()) }
            return token
        }()
        await received.wait(for: 3)
        #expect(!token.isActive)
    }
}
