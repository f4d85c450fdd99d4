import Testing

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct FaultLimiterTests {
    @Test
    func `the first fault is reported at once, and similar faults within a second are reported as one with a count`() {
        var limiter = FaultLimiter()
        func fault(_ number: Int, _ subject: String = "tidings.a.v1") -> RelayFault {
            RelayFault(.sendBufferFull, subject: subject, id: "\(number)", "full")
        }
        #expect(limiter.add(fault(0), at: .zero)?.id == "0")
        for number in 1...1000 { #expect(limiter.add(fault(number), at: .milliseconds(500)) == nil) }
        // Each notification type has its own limit, which all senders of the type share.
        #expect(limiter.add(fault(1, "tidings.b.v1.~.x"), at: .zero) != nil)
        #expect(limiter.add(fault(2, "tidings.b.v1.~.y"), at: .zero) == nil)
        #expect(limiter.takeDue(at: .milliseconds(900)) == [])
        let due = limiter.takeDue(at: .seconds(1)).sorted { $0.count > $1.count }
        #expect(due.map(\.count) == [1000, 1] && due.map(\.id) == ["1000", "2"])
        // Each report starts an interval of one second. After an interval without faults, the next fault is reported at
        // once.
        #expect(limiter.add(fault(3), at: .milliseconds(1500)) == nil)
        #expect(limiter.takeDue(at: .seconds(2)).map(\.count) == [1])
        #expect(limiter.takeDue(at: .seconds(3)) == [])
        #expect(limiter.add(fault(4), at: .milliseconds(3100))?.count == 1)
    }

    @Test
    func `deadLetter and storedAgain faults are never held back, and held-back faults are reported at the end`() {
        var limiter = FaultLimiter()
        for kind in [RelayFault.Kind.deadLetter, .storedAgain] {
            for _ in 0..<3 { #expect(limiter.add(RelayFault(kind, ""), at: .zero) != nil) }
        }
        #expect(limiter.add(RelayFault(.slowConsumer, ""), at: .zero) != nil)
        var many = RelayFault(.slowConsumer, "")
        many.count = 7
        #expect(limiter.add(many, at: .zero) == nil)
        #expect(limiter.takeDue(at: .zero, isLast: true).map(\.count) == [7])
    }
}
