import Testing

@testable import TidingsOutbox

@Suite(.timeLimit(.minutes(2))) struct PartitionTests {
    @Test func `the number of partitions is the next power of two, up to a limit`() {
        #expect(
            [-1, 0, 1, 2, 3, 4, 5, 64, 100, 1_000].map(Partitions.count) == [
                1, 1, 1, 2, 4, 4, 8, 64, 128, 256,
            ])
    }

    @Test func `when partitions are divided, a key stays in its partition or moves to a part of it`() {
        for key in (0..<2_000).map(String.init) {
            for (old, new) in [(1, 2), (1, 8), (2, 4), (4, 32), (128, 256)] {
                let before = Partitions.index(of: key, among: old)
                let after = Partitions.index(of: key, among: new)
                #expect(
                    after == before
                        || Partitions.children(of: before, dividing: old, into: new).contains(after))
            }
        }
        #expect(Partitions.children(of: 1, dividing: 2, into: 8) == [3, 5, 7])
    }

    @Test func `similar keys are spread over the partitions`() {
        for keys in [
            (0..<4_000).map { "\($0)" }, (0..<4_000).map { "\($0 * 2)" },
            (0..<4_000).map { "order-\($0)-a" },
        ] {
            var counts = [Int](repeating: 0, count: 8)
            for key in keys { counts[Partitions.index(of: key, among: 8)] += 1 }
            #expect(counts.allSatisfy { (400...600).contains($0) }, "\(counts)")
        }
    }

    /// If a key changed its partition, running programs would lose notifications.
    @Test func `the partition of a key never changes between versions of the package`() {
        #expect(
            ["", "a", "b", "customer-7", "ü"].map { Partitions.index(of: $0, among: 256) } == [
                82, 77, 156, 10, 188,
            ])
    }

    private func status(_ error: String?, heldFor: Duration?, failedAt: Int64 = 0) -> DurableObserverStatus {
        DurableObserverStatus(
            name: "mails", state: .running, cursor: 0, backlog: 0, held: heldFor == nil ? 0 : 1, handled: 0,
            failures: error == nil ? 0 : 1, deadLetters: 0, runningFor: nil, heldFor: heldFor, lastError: error,
            behind: nil, partitions: 1, failedAt: failedAt)
    }

    @Test func `of several failed partitions, the status shows the error of the one that has held a row longest`() {
        // The last partition holds a row that failed in an earlier program, so it has no error.
        let partitions = [
            status("a", heldFor: .seconds(1)), status("b", heldFor: .seconds(2)), status("c", heldFor: nil),
            status(nil, heldFor: .seconds(3)),
        ]
        for partitions in [partitions, Array(partitions.reversed())] {
            let whole = DurableObserverStatus(partitions)
            #expect(whole.lastError == "b" && whole.heldFor == .seconds(3) && whole.partitions == 4)
        }
        #expect(DurableObserverStatus([status(nil, heldFor: nil), status("c", heldFor: nil)]).lastError == "c")
    }

    @Test func `if no failed partition holds a row, the status shows the error of the last one that failed`() {
        let partitions = [
            status("a", heldFor: nil, failedAt: 1), status("b", heldFor: nil, failedAt: 3),
            status("c", heldFor: nil, failedAt: 2),
        ]
        for partitions in [partitions, Array(partitions.reversed())] {
            #expect(DurableObserverStatus(partitions).lastError == "b")
        }
    }

    @Test func `the name of a partition contains its observer's name`() {
        #expect(Partitions.name("mails", 0) == "mails" && Partitions.name("mails", 3) == "mails/3")
        #expect(Partitions.observer(of: "mails/3") == "mails" && Partitions.index(of: "mails/3") == 3)
        #expect(Partitions.observer(of: "mails") == "mails" && Partitions.index(of: "mails") == 0)
    }
}
