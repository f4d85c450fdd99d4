import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.ofRandomPrograms)) struct HostileMessageTests {
    @Test func `each mutated message yields an event or a fault, and valid messages arrive`()
        throws
    {
        var random = Generator(state: 7)
        let (center, relay) = (NativeNotificationCenter(), MemoryServer())
        let program = try NotificationRelay(
            center, connector: relay, options: RelayOptions(name: "program"),
            routes: [.transient(Placed.self, .incoming)])
        let route = try #require(program.receiver.routes.first)
        let arrived = ReceivedValues<Placed>()
        let faults = ReceivedValues<RelayFault>()
        let tokens = [
            center.addObserver(for: Placed.self) { arrived.append($0) },
            center.addObserver(for: RelayFault.self) { faults.append($0) },
        ]
        var good = 0
        let count = repetitions(100_000)
        for number in 0..<count {
            let placed = Placed(sender: "a\"\u{1F600}", amount: number)
            let event = CloudEvent(
                id: "\(number)", source: "there", type: "orders.placed.v2", time: "2026-01-01T00:00:00Z",
                trace: RelayTraceContext(traceparent: "00-1"), data: try placed.encoded())
            var message = event.message(
                "tidings.orders.placed.v2.~.a", mode: number.isMultiple(of: 2) ? .structured : .binary)
            if number.isMultiple(of: 10) { good += 1 } else { message.mutate(&random) }
            program.receiver.handler.receiveTransient(Placed.self, route, message)
            // Reports the faults that were held back.
            program.context.reports.tick(isLast: true)
            // A mutated message may still be valid.
            try #require(arrived.count + faults.count == number + 1)
        }
        #expect(Set(arrived.values.map(\.amount)).isSuperset(of: (0..<count).filter { $0.isMultiple(of: 10) }))
        #expect(arrived.count >= good && faults.count > count / 4)
        #expect(faults.values.allSatisfy { [.undecodable, .unknownType, .unknownVersion].contains($0.kind) })
        withExtendedLifetime(tokens) {}
    }

    /// A generator that returns the same numbers in each run.
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 33)
        }
    }
}

extension RelayMessage {
    fileprivate mutating func mutate(_ random: inout HostileMessageTests.Generator) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1 where !bytes.isEmpty: bytes.remove(at: place)
            case 2: bytes.insert([UInt8](#"{}[]",:\0u"#.utf8).randomElement(using: &random) ?? 0, at: place)
            case 3: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            case 4 where !headers.isEmpty: headers.remove(at: Int.random(in: 0..<headers.count, using: &random))
            default:
                guard let header = headers.randomElement(using: &random) else { continue }
                headers.append(.init(header.name.uppercased(), header.value))
                headers.shuffle(using: &random)
                headers[0] = .init(
                    headers[0].name, ["", "%", "%zz", "1.0", "\u{FFFD}"].randomElement(using: &random) ?? "")
            }
        }
    }
}
