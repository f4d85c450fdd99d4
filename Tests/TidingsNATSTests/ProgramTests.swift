import Foundation
import TestSupport
import Testing
import Tidings
import TidingsRelay
import TidingsTesting

@Suite(.timeLimit(.ofServers)) struct ProgramTests {
    @Test func `durable notifications in both directions arrive once at each program`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let names = ["first", "second"]
        let programs = try names.map { try RelayedProgram($0, server, [.durable(Tick.self, .both, stream: "TICKS")]) }
        for program in programs { await program.relay.waitUntilReady() }
        await withTaskGroup { group in
            for (poster, program) in programs.enumerated() {
                group.addTask {
                    for number in 0..<500 { await program.center.deliver(Tick(poster: poster, number: number)) }
                }
            }
        }
        for program in programs { await program.received.wait(for: 1000) }
        for program in programs { await program.stop() }
        for program in programs {
            for poster in 0...1 {
                #expect(program.received.values.filter { $0.poster == poster }.map(\.number) == Array(0..<500))
            }
            #expect(program.faults.values == [])
        }
    }

    @Test func `programs that start at the same moment share the stream that one of them creates`() async throws {
        for _ in 0..<8 {
            let server = try ServerProcess()
            try await server.start()
            let programs = try (0..<6).map {
                try RelayedProgram("program\($0)", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
            }
            for program in programs { await program.relay.waitUntilReady() }
            for program in programs {
                #expect(program.faults.values == [])
                await program.stop()
            }
        }
    }

    @Test func `durable and transient notifications between two processes arrive once at each process`()
        async throws
    {
        let count = 1000
        let server = try ServerProcess()
        try await server.start()
        let probes = try (0...1).map { try RelayProbe("exchange", server.address, "\($0)", "\(count)") }
        for probe in probes { await probe.wait(forLines: 1) }
        for probe in probes { probe.tell("go") }
        for probe in probes { await probe.wait(forLines: 1 + 4 * count) }
        for probe in probes { #expect(try await probe.end() == 0) }
        for probe in probes {
            for kind in ["tick", "ping"] {
                for poster in 0...1 {
                    let beginning = "\(kind) \(poster) "
                    let numbers = probe.lines.filter { $0.hasPrefix(beginning) }.map { $0.dropFirst(beginning.count) }
                    #expect(numbers.compactMap { Int($0) } == Array(0..<count))
                }
            }
            #expect(probe.lines.count == 1 + 4 * count && probe.lines.first == "ready")
        }
    }

    @Test func `three workers share jobs equally, and each job goes to one of them`() async throws {
        let server = try ServerProcess()
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        let workers = try (1...3).map { number in
            try RelayedProgram("worker-\(number)", server, [.durable(Tick.self, stream: "TICKS", group: "workers")]) {
                options in
                options.inProgressLimit = 16
            }
        }
        await shop.relay.waitUntilReady()
        for worker in workers { await worker.relay.waitUntilReady() }
        let all = ReceivedValues<Int>()
        let tokens = workers.map { worker in worker.center.addObserver(for: Tick.self) { all.append($0.number) } }
        let count = 3000
        for number in 0..<count { await shop.center.deliver(Tick(poster: 1, number: number)) }
        await all.wait(for: count)
        for program in workers + [shop] { await program.stop() }
        #expect(all.values.sorted() == Array(0..<count))
        for worker in workers {
            #expect(abs(worker.received.count - count / 3) < count / 15, "\(workers.map(\.received.count))")
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `a notification that a group member publishes goes to one member, which may be the publisher`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let worker = try RelayedProgram("worker", server, [.durable(Tick.self, stream: "TICKS", group: "workers")])
        await worker.relay.waitUntilReady()
        for number in 0..<10 { try await worker.relay.publish(Tick(poster: 1, number: number)) }
        await worker.received.wait(for: 10)
        await worker.stop()
        #expect(worker.received.values.map(\.number) == Array(0..<10))
    }

    @Test func `each transient notification goes to one member of a group`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.transient(Tick.self, .outgoing)])
        let workers = try (1...3).map {
            try RelayedProgram("worker-\($0)", server, [.transient(Tick.self, group: "workers")])
        }
        await shop.relay.waitUntilReady()
        for worker in workers { await worker.relay.waitUntilReady() }
        let all = ReceivedValues<Int>()
        let tokens = workers.map { worker in worker.center.addObserver(for: Tick.self) { all.append($0.number) } }
        for number in 0..<300 { shop.center.post(Tick(poster: 1, number: number)) }
        await all.wait(for: 300)
        for program in workers + [shop] { await program.stop() }
        #expect(all.values.sorted() == Array(0..<300))
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: 0..<RelayTrials.runs, RelayTrials.encryptions)
    func `nothing is lost and the order is kept even if the receiving program is killed three times`(
        run: Int, isEncrypted: Bool
    ) async throws {
        let count = RelayTrials.consumed
        let limit = 512
        let server = try ServerProcess(isEncrypted: isEncrypted)
        try await server.start()
        let shop = try RelayedProgram("shop", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
        await shop.relay.waitUntilReady()
        for number in 0..<count { shop.center.post(Tick(poster: 1, number: number)) }
        var numbers: [Int] = []
        var again = 0
        for part in 1...4 {
            let last = count * part / 4 - 1
            let probe = try RelayProbe("consume", server.probeAddress, "\(last)")
            await probe.wait(forLast: "\(last)")
            await probe.kill9()
            let lines = probe.lines
            again += lines.count { $0.hasSuffix(" again") }
            let read = lines.compactMap { line in Int(line.split(separator: " ")[0]) }
            let highest = numbers.max() ?? -1
            let repeated = zip(read, lines).filter { $0.0 <= highest }.map(\.1)
            #expect(
                repeated.allSatisfy { $0.hasSuffix(" again") }, "\(repeated.first { !$0.hasSuffix(" again") } ?? "")")
            #expect(repeated.count <= limit)
            #expect(read.count == lines.count && zip(read, read.dropFirst()).allSatisfy { $0 < $1 })
            numbers += read
        }
        #expect(Set(numbers) == Set(0..<count))
        #expect(again <= 3 * limit)
        await shop.stop()
    }
}
