import TestSupport
import Testing
import Tidings

private struct CacheCleared: TypedNotification {}

@Suite struct Smoke {
    @Test func `a token is the lifetime of an observation`() {
        let center = NativeNotificationCenter()
        let log = Log<Int>()
        let token = center.addObserver(for: CacheCleared.self) { _ in log.append(1) }
        #expect(center.post(CacheCleared()) == 1)
        token.cancel()
        #expect(center.post(CacheCleared()) == 0)
        #expect(!token.isActive)
        #expect(log.values == [1])
    }
}
