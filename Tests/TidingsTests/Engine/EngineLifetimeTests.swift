import TestSupport
import Testing

@testable import Tidings
@testable import TidingsEngine

private final class Source: Sendable {}
private struct Changed: TypedNotification {
    let sender: Source
}

private final class AtEnd: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
}

@Suite(.timeLimit(.minutes(2))) struct EngineLifetimeTests {
    @Test func `a center that is deallocated leaves no memory behind`() {
        weak var channel: Channel?
        var tokens: [NotificationToken] = []
        do {
            let center = NativeNotificationCenter()
            for sender in [nil, Source(), Source()] {
                for _ in 0..<20 { tokens.append(center.addObserver(for: Changed.self, sender: sender) { _ in }) }
            }
            tokens.removeLast(30)
            // The center keeps the channel alive.
            channel =
                unsafe (center.channels.channel(Changed.self)
                as Unmanaged<TypedChannel<Changed, Changed.Sender>>?)?.takeUnretainedValue()
            #expect(channel != nil)
        }
        #expect(tokens.allSatisfy { !$0.isActive })
        tokens = []
        #expect(channel == nil)
    }

    @Test func `releasing a center may release tokens of the same center`() {
        let later = Lock<[NotificationToken]>([])
        var first: NotificationToken?
        do {
            let center = NativeNotificationCenter()
            let captured = AtEnd {
                let tokens = later.withLock { $0.split() }
                #expect(tokens.allSatisfy { !$0.isActive })
            }
            first = center.addObserver(for: Changed.self) { _ in withExtendedLifetime(captured) {} }
            // The engine stores observers in chunks of memory. The observers fill several chunks, so releasing the
            // tokens frees some.
            later.withLock { tokens in
                for _ in 0..<100 { tokens.append(center.addObserver(for: Changed.self) { _ in }) }
            }
        }
        #expect(later.withLock { $0.isEmpty })
        #expect(first?.isActive == false)
    }
}

extension Array {
    fileprivate mutating func split() -> [Element] {
        defer { self = [] }
        return self
    }
}
