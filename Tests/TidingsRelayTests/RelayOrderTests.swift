import Testing
import Tidings

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct RelayOrderTests {
    struct Revised: RemoteNotification {
        static let wireName = "test.revised"
        static let wireVersion = 12
        static let readableVersions = 1...12
        let key: String
    }

    struct Open: RemoteNotification {
        static let wireName = "test.open"
        static let readableVersions = 1...1_000_000
        let key: String
    }

    struct Newest: RemoteNotification {
        static let wireName = "test.newest"
        static let wireVersion = Int.max
        let key: String
    }

    struct Numerous: RemoteNotification {
        static let wireName = "test.numerous"
        static let wireVersion = 257
        static let readableVersions = 1...257
        let key: String
    }

    struct Dated: RemoteNotification {
        static let wireName = "test.dated"
        static let wireVersion = 20_261_256
        static let readableVersions = 20_261_001...20_261_256
        let key: String
    }

    @Test func `an ordered group has a consumer for each partition and for each readable version`() throws {
        let route = RelayRoute.durable(
            Revised.self, stream: "S", group: "printers", ordered: .by(\.key, partitions: 2))
        // The consumers `v1` to `v12` read the notifications that were posted by a route without an order.
        #expect(try route.parts().compactMap(\.part) == ["p0", "p1"] + (1...12).map { "v\($0)" })
    }

    @Test func `an open-ended range of readable versions needs few consumers`() throws {
        let route = RelayRoute.durable(Open.self, stream: "S", group: "printers", ordered: .by(\.key, partitions: 1))
        #expect(try route.parts().compactMap(\.part) == ["p0"] + (1...9).map { "v\($0)" })
    }

    @Test func `a group with an order accepts every version number, and at most 256 versions`() throws {
        let newest = RelayRoute.durable(Newest.self, stream: "S", group: "g", ordered: .by(\.key, partitions: 1))
        #expect(try newest.parts().compactMap(\.part) == ["p0", "v\(Int.max)"])
        let dated = RelayRoute.durable(Dated.self, stream: "S", group: "g", ordered: .by(\.key, partitions: 1))
        #expect(try dated.parts().count == 257)
        let numerous = RelayRoute.durable(Numerous.self, stream: "S", group: "g", ordered: .by(\.key, partitions: 1))
        let fault = #expect(throws: RelayFault.self) {
            try NotificationRelay(
                NativeNotificationCenter(), connector: MemoryServer(), options: RelayOptions(name: "n"),
                routes: [numerous])
        }
        #expect(fault?.kind == .invalidConfiguration && fault?.detail.contains("test.numerous") == true)
    }

    @Test(
        arguments: [
            ("3", "stay empty"), ("5", "no worker receives the other partitions"), ("4", nil), (nil, nil),
        ] as [(String?, String?)])
    func `a differing number of partitions is reported with its effect`(posted: String?, effect: String?) {
        let partitions = RoutePartitions(RelayOrder<Revised>.by(\.key, partitions: 4))
        let headers = posted.map { [RelayMessage.Header(EventForm.partitionHeader, $0)] } ?? []
        let fault = partitions.differing(from: RelayMessage("tidings.test.revised.p1", headers: headers))
        #expect((fault == nil) == (effect == nil))
        if let fault, let effect { #expect(fault.kind == .settingsDiffer && fault.detail.hasSuffix(effect)) }
    }
}
