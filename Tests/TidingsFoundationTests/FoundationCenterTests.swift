import Foundation
import TestSupport
import Testing
import TidingsFoundation

private final class Account: Sendable {}

private struct SubscriptionsChanged: TypedNotification {
    static let name = "FoundationCenterTests.SubscriptionsChanged"
    let sender: Account
    var subscribed: Set<Int> = []
}

private struct CacheCleared: TypedNotification {
    static let name = "FoundationCenterTests.CacheCleared"
}

private struct DownloadFinished: NotificationDescriptor {
    struct Payload: Equatable { let bytes: Int }
    let name = Notification.Name("DownloadFinished")
}

@Suite struct FoundationCenterTests {
    private let center = NotificationCenter()

    @Test func `a typed post reaches typed observers until their token is cancelled`() {
        let log = Log<Int>()
        let token = center.addObserver(for: CacheCleared.self) { _ in log.append(1) }
        #expect(center.post(CacheCleared()) == 1)
        token.cancel()
        #expect(center.post(CacheCleared()) == 0)
        #expect(!token.isActive)
        #expect(log.values == [1])
    }

    @Test func `a descriptor carries a payload`() throws {
        let log = Log<Int>()
        let token = center.addObserver(descriptor: DownloadFinished()) { payload in log.append(payload.bytes) }
        try center.post(DownloadFinished(), payload: .init(bytes: 7))
        center.removeObserver(token)
        try center.post(DownloadFinished(), payload: .init(bytes: 8))
        #expect(log.values == [7])
    }

    @Test func `an operation queue`() {
        let log = Log<Int>()
        let queue = OperationQueue()
        let account = Account()
        let token = center.addObserver(for: SubscriptionsChanged.self, sender: account, queue: queue) { note in
            log.append(note.subscribed.count)
        }
        for number in 0..<100 {
            center.post(SubscriptionsChanged(sender: account, subscribed: Set(0..<number)))
            center.post(SubscriptionsChanged(sender: Account()))
        }
        queue.waitUntilAllOperationsAreFinished()
        token.cancel()
        #expect(log.values == Array(0..<100))
    }
}
