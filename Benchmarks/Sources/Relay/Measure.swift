import ArgumentParser
import Foundation
import Tidings
import TidingsNATS

@main
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "relay", abstract: "Measures the relay beside NATS's C client.")
    @Option var server = "nats://127.0.0.1:15000"
    @Option var workload: [String] = []
    @Option var only: [String] = []
    @Option var count = 20000
    @Option var rounds = 7
    @Flag var binary = false

    func run() async throws {
        let mode: EventMode = binary ? .binary : .structured
        func wanted(_ name: String) -> Bool { workload.isEmpty || workload.contains(name) }
        var ways: [(String, String, () async throws -> Double)] = []
        let event = Data(#"{"specversion":"1.0","id":"2tq0uyvxrz2vt3xw8wozqy9kr-123456","source":"bench-sender","type":"coded.v1","time":"2026-11-22T12:00:00.123456Z","datacontenttype":"application/json","data":"#.utf8) + codedBody + Data("}".utf8)
        func message(_ subject: String) -> Bare.Message { Bare.Message(subject: subject, contentType: "application/cloudevents+json", body: event) }
        let server = server, count = count
        let bare = try Bare(server, sendsAtOnce: false)
        let bareAsap = try Bare(server, sendsAtOnce: true)
        let pass = "\(ProcessInfo.processInfo.processIdentifier)"
        var keep: [RunningRelay] = []
        if wanted("transient") {
            ways.append(("transient", "bare", { try timed { try bare.transient(message("bare.coded.v1"), count) } }))
            ways.append(("transient", "bare, payload", { try timed { try bare.transient(Bare.Message(subject: "bare.coded.v1", contentType: "x", body: codedBody), count) } }))
            func add<N: Numbered>(_ type: N.Type, _ name: String) async throws {
                let from = try RunningRelay(server, "t-from-\(name)", [.transient(type, .outgoing)]) { $0.eventMode = mode; $0.subjectPrefix = "t-\(pass)" }
                let to = try RunningRelay(server, "t-to-\(name)", [.transient(type, .incoming)]) { $0.subjectPrefix = "t-\(pass)" }
                await from.ready(); await to.ready()
                keep += [from, to]
                ways.append(("transient", name, {
                    let arrivals = Arrivals(count)
                    let token = to.center.addObserver(for: type) { _ in arrivals.note() }
                    defer { token.cancel() }
                    return try timed {
                        for index in 0..<count { from.center.post(type.make(index)) }
                        try arrivals.wait()
                    }
                }))
            }
            try await add(CodedOrder.self, "coded")
            try await add(JSONOrder.self, "JSON")
        }
        if wanted("publish") || wanted("consume") {
            func add<N: Numbered>(_ type: N.Type, _ name: String, _ withBare: Bool) async throws {
                let stream = "S\(pass)\(name)"
                let prefix = "d-\(pass)"
                let from = try RunningRelay(server, "d-from-\(name)", [.durable(type, .outgoing, stream: stream)]) { $0.eventMode = mode; $0.subjectPrefix = prefix }
                await from.ready()
                keep += [from]
                func publish() async throws {
                    for index in 0..<count { from.center.post(type.make(index)) }
                    while from.relay.waitingCount > 0 { usleep(200) }
                }
                if wanted("publish") {
                    if withBare { ways.append(("publish", "bare", { try timed { try bare.durablePublish(message("\(prefix).\(type.wireName).v1"), count) } })) }
                    ways.append(("publish", name, {
                        let began = ContinuousClock.now
                        try await publish()
                        return began.duration(to: .now) / .nanoseconds(1)
                    }))
                }
                if wanted("consume") {
                    let stream = stream + "C", prefix = prefix + "C"
                    let from = try RunningRelay(server, "d-from-\(name)", [.durable(type, .outgoing, stream: stream)]) { $0.eventMode = mode; $0.subjectPrefix = prefix }
                    await from.ready()
                    for index in 0..<count { from.center.post(type.make(index)) }
                    while from.relay.waitingCount > 0 { usleep(200) }
                    await from.stop()
                    if withBare { ways.append(("consume", "bare", { try bare.durableConsume(stream, "\(prefix).\(type.wireName).v1", batch: 512, count) })) }
                    let round = Arrivals(.max)
                    _ = round
                    ways.append(("consume", name, {
                        let to = try RunningRelay(server, "d-to-\(UUID().uuidString)", [.durable(type, .incoming, stream: stream, from: .stored)]) { $0.subjectPrefix = prefix; $0.consumerLifetime = .seconds(2) }
                        let arrivals = Arrivals(count)
                        let token = to.center.addObserver(for: type) { _ in arrivals.note() }
                        await to.ready()
                        let nanoseconds = try timed { try arrivals.wait() }
                        await to.stop()
                        token.cancel()
                        return nanoseconds
                    }))
                }
            }
            try await add(CodedOrder.self, "coded", true)
            try await add(JSONOrder.self, "JSON", false)
        }
        if wanted("trip") {
            let count = count / 20
            ways.append(("trip", "bare", { try timed { try bareAsap.roundTrips(message("bare.ping.v1"), message("bare.pong.v1"), count) } * 20 }))
            let near = try RunningRelay(server, "near", [.transient(Ping.self, .outgoing), .transient(Pong.self, .incoming)]) { $0.eventMode = mode; $0.subjectPrefix = "r-\(pass)" }
            let far = try RunningRelay(server, "far", [.transient(Ping.self, .incoming), .transient(Pong.self, .outgoing)]) { $0.eventMode = mode; $0.subjectPrefix = "r-\(pass)" }
            await near.ready(); await far.ready()
            keep += [near, far]
            let back = DispatchSemaphore(value: 0)
            let tokens = [far.center.addObserver(for: Ping.self) { [center = far.center] _ in center.post(Pong()) }, near.center.addObserver(for: Pong.self) { _ in back.signal() }]
            ways.append(("trip", "coded", {
                try timed {
                    for _ in 0..<count { near.center.post(Ping()); if back.wait(timeout: .now() + 5) != .success { throw Miscount(found: 0, expected: 1) } }
                    _ = tokens
                } * 20
            }))
        }
        ways = ways.filter { only.isEmpty || only.contains($0.1) }
        var best = [Double](repeating: .infinity, count: ways.count)
        for round in 0..<rounds {
            for turn in ways.indices {
                let index = (turn + round) % ways.count
                best[index] = min(best[index], try await ways[index].2() / Double(count))
            }
        }
        for (index, way) in ways.enumerated() {
            let reference = ways.firstIndex { $0.0 == way.0 && $0.1 == "bare" }.map { best[$0] } ?? .nan
            print("\(way.0)\t\(way.1)\t\(Int(best[index])) ns\t\(Int(1e9 / best[index])) /s\tratio \(String(format: "%.2f", reference / best[index]))")
        }
        for relay in keep { await relay.stop() }
    }
}

func timed(_ work: () throws -> Void) rethrows -> Double {
    let began = ContinuousClock.now
    try work()
    return began.duration(to: .now) / .nanoseconds(1)
}
