import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct RedeliveriesTests {
    private let taken = ReceivedValues<Int>()

    private func arrive(
        _ number: Int, count: Int = 1, at now: Duration = .zero, in redeliveries: inout Redeliveries
    ) throws {
        let delivery = try #require(StreamDelivery("$JS.ACK.S.C.\(count).\(number).\(number).0.0"))
        redeliveries.arrive(delivery, at: now) { [taken] in taken.append(number) }
        perform(&redeliveries)
    }

    private func perform(_ redeliveries: inout Redeliveries) {
        for take in redeliveries.actions { take() }
        redeliveries.actions = []
    }

    @Test func `messages are taken in the order of arrival unless redeliveries are expected`() throws {
        var redeliveries = Redeliveries()
        for (number, count) in [(3, 2), (1, 1), (2, 5)] { try arrive(number, count: count, in: &redeliveries) }
        #expect(taken.values == [3, 1, 2])
    }

    @Test func `redeliveries are sorted into the order of the stream`() throws {
        var redeliveries = Redeliveries()
        redeliveries.expect(3, at: .zero)
        try arrive(8, count: 2, in: &redeliveries)
        try arrive(9, count: 2, in: &redeliveries)
        #expect(taken.values == [])
        try arrive(7, count: 2, in: &redeliveries)
        try arrive(10, in: &redeliveries)
        // The new message 10 has ended the wait, so later messages are taken in the order of arrival.
        try arrive(2, count: 2, in: &redeliveries)
        #expect(taken.values == [7, 8, 9, 10, 2])
    }

    @Test func `a new message or a second of silence ends the wait for redeliveries`() throws {
        var redeliveries = Redeliveries()
        redeliveries.expect(3, at: .zero)
        try arrive(8, count: 2, in: &redeliveries)
        try arrive(7, count: 2, in: &redeliveries)
        try arrive(9, in: &redeliveries)
        #expect(taken.values == [7, 8, 9])
        redeliveries.expect(3, at: .zero)
        try arrive(11, count: 2, in: &redeliveries)
        try arrive(10, count: 2, in: &redeliveries)
        redeliveries.tick(at: .milliseconds(900))
        perform(&redeliveries)
        #expect(taken.count == 3)
        redeliveries.tick(at: .milliseconds(1100))
        perform(&redeliveries)
        #expect(taken.values == [7, 8, 9, 10, 11])
    }

    @Test func `messages that wait for earlier redeliveries are discarded when the connection ends`() throws {
        var redeliveries = Redeliveries()
        redeliveries.expect(2, at: .zero)
        try arrive(8, count: 2, in: &redeliveries)
        redeliveries.disconnect()
        try arrive(8, count: 3, in: &redeliveries)
        #expect(taken.values == [8])
    }
}
