import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.ofServers)) struct PartitionTests {
    struct Due: RemoteNotification, Hashable {
        static let wireName = "test.due"
        let customer: String
        let number: Int
    }

    private static let order = RelayOrder<Due>.by(\.customer, partitions: 32)
    private static let outgoing = RelayRoute.durable(Due.self, .outgoing, stream: "DUE", ordered: order)
    private static let group = RelayRoute.durable(
        Due.self, stream: "DUE", group: "printers", ordered: .by(\.customer, partitions: 32), from: .stored)

    @Test func `the order of each key is kept while workers are lost, and no notification is lost`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [Self.outgoing])
        // This program's route doesn't declare the order, but its posts are kept in order, too.
        let old = try RelayedProgram("old", server, [.durable(Due.self, .outgoing, stream: "DUE")])
        await shop.relay.waitUntilReady()
        await old.relay.waitUntilReady()
        let (customers, count) = (40, 25)
        let runs = ReceivedValues<Due>()
        func worker(_ number: Int) throws -> (RelayedProgram, NotificationToken) {
            let worker = try RelayedProgram("worker-\(number)", server, [Self.group])
            return (
                worker,
                worker.center.addObserver(for: Due.self) { note in
                    GroupWorkTests.work(2)
                    runs.append(note)
                }
            )
        }
        var workers = [try worker(0), try worker(1), try worker(2)]
        for (worker, _) in workers { await worker.relay.waitUntilReady() }
        for number in 0..<count {
            for customer in 0..<customers { shop.center.post(Due(customer: "c\(customer)", number: number)) }
            old.center.post(Due(customer: "old", number: number))
        }
        let all = (customers + 1) * count
        for part in 1...2 {
            await runs.wait(for: all * part / 4)
            // The worker ends without waiting for its observer.
            await workers.removeFirst().0.relay.finish(within: .zero)
            workers.append(try worker(part + 2))
        }
        while Set(runs.values).count < all { await runs.wait(for: runs.count + 1) }
        for (worker, _) in workers { await worker.stop() }
        for customer in (0..<customers).map({ "c\($0)" }) + ["old"] {
            let numbers = runs.values.filter { $0.customer == customer }.map(\.number)
            // A lost worker's notification may arrive twice, but both times before the customer's next notification.
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 }, "\(customer): \(numbers)")
            #expect(Set(numbers) == Set(0..<count))
        }
        print("ordered group: \(runs.count) runs of \(all)")
        #expect(runs.count <= all + 2 * 33)
        await shop.stop()
        await old.stop()
    }

    @Test func `one notification of each partition is in progress at a time`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [Self.outgoing])
        await shop.relay.waitUntilReady()
        var keys: [Int: String] = [:]
        var number = 0
        while keys.count < 32 {
            let note = Due(customer: "c\(number)", number: 0)
            if keys[Self.order.partition(note)] == nil { keys[Self.order.partition(note)] = note.customer }
            number += 1
        }
        let workers = [
            try RelayedProgram("worker-0", server, [Self.group]), try RelayedProgram("worker-1", server, [Self.group]),
        ]
        let begun = ReceivedValues<Due>()
        let gate = Gate()
        let tokens = workers.map { worker in
            // The observer is synchronous and blocks a thread for each partition.
            worker.center.addObserver(for: Due.self) { note in
                begun.append(note)
                gate.wait(patience: .seconds(600))
            }
        }
        for worker in workers { await worker.relay.waitUntilReady() }
        for number in 0..<3 {
            for key in keys.values { await shop.center.deliver(Due(customer: key, number: number)) }
        }
        await begun.wait(for: 32)
        // All notifications are stored, but the observers have received only the first one of each key.
        #expect(begun.values.allSatisfy { $0.number == 0 } && Set(begun.values.map(\.customer)) == Set(keys.values))
        gate.open()
        await begun.wait(for: 96)
        for program in workers + [shop] { await program.stop() }
        #expect(begun.count == 96)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a fault is reported if a group reads fewer partitions than the posting route has`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let more = RelayOrder<Due>.by(\.customer, partitions: 64)
        let shop = try RelayedProgram("shop", server, [.durable(Due.self, .outgoing, stream: "DUE", ordered: more)])
        let worker = try RelayedProgram("worker", server, [Self.group])
        let received = ReceivedValues<Due>()
        let token = worker.center.addObserver(for: Due.self) { received.append($0) }
        let notes = (0..<100).map { Due(customer: "c\($0)", number: $0) }
        for note in notes { try await shop.relay.publish(note) }
        let fault = await worker.fault(.settingsDiffer)
        #expect(fault.detail.hasPrefix("it was posted by a route with 64 partitions, and the group reads 32"))
        let read = notes.filter { more.partition($0) < 32 }
        await received.wait(for: read.count)
        #expect(Set(received.values) == Set(read) && read.count < notes.count)
        await worker.stop()
        await shop.stop()
        #expect(shop.faults.values == [])
        withExtendedLifetime(token) {}
    }

    @Test func `a program without a group receives all partitions in the order of the stream`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [Self.outgoing])
        let office = try RelayedProgram("office", server, [.durable(Due.self, .incoming, stream: "DUE", from: .stored)])
        let received = ReceivedValues<Int>()
        let token = office.center.addObserver(for: Due.self) { received.append($0.number) }
        for number in 0..<200 { try await shop.relay.publish(Due(customer: "c\(number)", number: number)) }
        await received.wait(for: 200)
        #expect(received.values == Array(0..<200))
        await office.stop()
        await shop.stop()
        withExtendedLifetime(token) {}
    }
}
