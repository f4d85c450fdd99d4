import Dispatch
import Foundation
import Tidings
import TidingsRelay

extension Subject {
    static let cClient = Subject("C client")
    static let bodyAlone = Subject("C client, without the envelope")
    static let coded = Subject("relay, coded beforehand")
    static let json = Subject("relay, Foundation's JSON")

    static func relay<N: Numbered>(_ type: N.Type) -> Subject { type == CodedOrder.self ? .coded : .json }
}

/// The workloads of relays. Each workload has its own subjects and streams, and its relays stop when the workload ends.
@MainActor
final class RelayWorkloads {
    private let server: NATSServer
    private var running: [RunningRelay] = []

    init(_ server: NATSServer) { self.server = server }

    func finish() async {
        for relay in running { await relay.finish() }
        running = []
    }

    var all: [Workload] {
        [
            Workload(
                name: "relayed, transient", parameterName: "receivers", unit: .nanoseconds(per: "message"),
                statistic: .least, count: 20_000, contenders: transient),
            Workload(
                name: "relayed, stored", parameterName: "streams", unit: .nanoseconds(per: "message"),
                statistic: .least, count: 20_000, contenders: stored),
            Workload(
                name: "relayed, taken from a stream", parameterName: "consumers",
                unit: .nanoseconds(per: "message"), statistic: .least, count: Self.storedCount,
                contenders: taken),
            Workload(
                name: "relayed, there and back", parameterName: "messages in flight",
                unit: .nanoseconds(per: "round trip"), statistic: .least, count: 500, contenders: roundTrip),
        ]
    }

    private static let storedCount = 20_000

    private func connect(_ name: String, _ prefix: String, _ routes: RelayRoute...) async throws -> RunningRelay {
        let relay = try await RunningRelay(server, name, prefix: prefix, routes)
        running.append(relay)
        return relay
    }

    private func unique(_ name: String) -> String { "\(name)-\(UUID().uuidString.prefix(8))" }

    /// Measures the time from a post in one center until the observer in another center is called.
    private func transient() async throws -> [Contender] {
        let bare = try Bare(server)
        let prefix = unique("transient")
        let event = Bare.Message.event("\(prefix)-bare.coded.v1", "coded.v1")
        let body = Bare.Message(subject: "\(prefix)-bare.coded.v1", body: codedBody)
        func contender<N: Numbered>(_ type: N.Type) async throws -> Contender {
            let from = try await connect("sender", prefix, .transient(type, .outgoing))
            let to = try await connect("receiver", prefix, .transient(type, .incoming))
            return Contender(subject: .relay(type), parameter: 1) { count in
                let arrivals = Arrivals(count, of: .relay(type))
                let token = to.center.addObserver(for: type) { _ in arrivals.note() }
                defer { token.cancel() }
                return try arrivals.measure {
                    for number in 0..<count { from.center.post(type.make(number)) }
                }
            }
        }
        return [
            Contender(subject: .cClient, parameter: 1) { try bare.transient(event, $0) },
            Contender(subject: .bodyAlone, parameter: 1) { try bare.transient(body, $0) },
            try await contender(CodedOrder.self), try await contender(JSONOrder.self),
        ]
    }

    /// Measures the time from a post until a stream has stored the notification. Posts don't wait for earlier
    /// notifications.
    private func stored() async throws -> [Contender] {
        let bare = try Bare(server)
        let prefix = unique("stored")
        func contender<N: Numbered>(_ type: N.Type) async throws -> Contender {
            let route = RelayRoute.durable(type, .outgoing, stream: unique("STORED"))
            let from = try await connect("sender", prefix, route)
            return Contender(subject: .relay(type), parameter: 1) { try from.store(type, $0) }
        }
        let coded = try await contender(CodedOrder.self)
        let event = Bare.Message.event("\(prefix).coded.v1", "coded.v1")
        return [
            Contender(subject: .cClient, parameter: 1) { try bare.durablePublish(event, $0) }, coded,
            try await contender(JSONOrder.self),
        ]
    }

    /// Measures how fast messages of a stream reach an observer. Each message is acknowledged.
    private func taken() async throws -> [Contender] {
        let bare = try Bare(server)
        let prefix = unique("taken")
        let server = server
        func contender<N: Numbered>(_ type: N.Type, _ stream: String) async throws -> Contender {
            let from = try await connect("sender", prefix, .durable(type, .outgoing, stream: stream))
            _ = try from.store(type, Self.storedCount)
            return Contender(subject: .relay(type), parameter: 1) { count in
                // The measurement starts before the relay connects, because the first messages arrive before the relay
                // reports that it is ready.
                let began = ContinuousClock.now
                let arrivals = Arrivals(count, of: .relay(type))
                // The consumer is new, so it starts at the beginning of the stream.
                let route = RelayRoute.durable(type, .incoming, stream: stream, from: .stored)
                let to = try await RunningRelay(server, "receiver-\(UUID())", prefix: prefix, [route]) { center in
                    center.addObserver(for: type) { _ in arrivals.note() }
                }
                _ = try arrivals.measure()
                let sample = Sample(value: began.duration(to: .now).nanoseconds)
                await to.finish()
                return sample
            }
        }
        let stream = unique("TAKEN")
        let coded = try await contender(CodedOrder.self, stream)
        return [
            Contender(subject: .cClient, parameter: 1) {
                try bare.durableConsume(stream, "\(prefix).coded.v1", $0)
            }, coded, try await contender(JSONOrder.self, unique("TAKEN")),
        ]
    }

    /// Measures the time from a post until the answer of a remote observer arrives.
    private func roundTrip() async throws -> [Contender] {
        let bare = try Bare(server, sendsAtOnce: true)
        let prefix = unique("trip")
        let near = try await connect("near", prefix, .transient(Ping.self, .outgoing), .transient(Pong.self, .incoming))
        let far = try await connect("far", prefix, .transient(Ping.self, .incoming), .transient(Pong.self, .outgoing))
        let back = DispatchSemaphore(value: 0)
        let tokens = [
            far.center.addObserver(for: Ping.self) { [center = far.center] _ in center.post(Pong()) },
            near.center.addObserver(for: Pong.self) { _ in back.signal() },
        ]
        let (there, answer) = (
            Bare.Message.event("\(prefix)-bare.ping.v1", "ping.v1"),
            Bare.Message.event("\(prefix)-bare.pong.v1", "pong.v1")
        )
        return [
            Contender(subject: .cClient, parameter: 1) { try bare.roundTrips(there, answer, $0) },
            Contender(subject: .coded, parameter: 1) { count in
                defer { withExtendedLifetime(tokens) {} }
                let began = ContinuousClock.now
                for number in 0..<count {
                    near.center.post(Ping())
                    if back.wait(timeout: .now() + 20) != .success {
                        throw Miscount(subject: .coded, counted: number, expected: count)
                    }
                }
                return Sample(value: began.duration(to: .now).nanoseconds)
            },
        ]
    }
}
