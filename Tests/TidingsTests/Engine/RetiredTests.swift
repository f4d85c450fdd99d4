import Testing
import Tidings

@testable import TidingsEngine

private struct Changed: TypedNotification {}

/// `Retired` keeps removed memory until the posts that may still use it have ended. Memory that waits for the same
/// posts is in one section.
@Suite(.timeLimit(.minutes(2))) struct RetiredTests {
    /// Returns a substitute for memory that was removed from a channel.
    private func removed() -> Removed {
        var removed = Removed()
        _ = removed.parts()
        return removed
    }

    @Test func `retired memory is freed when the last post that may use it has ended`() {
        var retired = Retired()
        retired.append(removed(), lanes: 0b011)
        retired.append(removed(), lanes: 0b111)
        retired.append(removed(), lanes: 0b110)
        #expect(retired.take(waitingFor: 0b001).isEmpty)
        #expect(retired.take(waitingFor: 0b010).count == 1)
        #expect(retired.take(waitingFor: 0b1000).isEmpty)
        #expect(retired.take(waitingFor: 0b100).count == 2)
        #expect(retired.sections.count == 0)
    }

    @Test func `the end of a post visits at most one section per lane, however much memory waits to be freed`() {
        var retired = Retired()
        var count = 0
        // A long post occupies lane 0. Other posts use the other lanes, and memory is retired during each of them.
        var most = 0
        for round in 0..<20_000 {
            let lane = 1 + round % 63
            retired.append(removed(), lanes: 1 | 1 << UInt64(lane))
            count += 1
            most = max(most, retired.sections.count)
            count -= retired.take(waitingFor: 1 << UInt64(lane)).count
        }
        #expect(most == 2)
        #expect(count == 20_000)
        // The posts overlap, so each section waits for one more post than the previous section.
        var lanes: UInt64 = 1
        for lane in 1..<64 {
            lanes |= 1 << UInt64(lane)
            for _ in 0..<10 { retired.append(removed(), lanes: lanes) }
            count += 10
        }
        #expect(retired.sections.count == 64)
        for lane in (1..<64).reversed() { #expect(retired.take(waitingFor: 1 << UInt64(lane)).isEmpty) }
        #expect(retired.sections.count == 1)
        #expect(retired.take(waitingFor: 1).count == count)
    }
}
