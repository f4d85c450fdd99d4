import Foundation
import TidingsRelay

/// A notification of the soak. The notifications of each key are numbered from 1.
protocol SoakNote: RemoteNotification {
    var key: String { get }
    var number: Int { get }
    init(key: String, number: Int)
}

extension SoakNote {
    /// The version of the notification. Each release of the programs has its own version, which older releases can't
    /// read.
    static var wireVersion: Int { SoakRelease.number }
    static var readableVersions: ClosedRange<Int> { max(1, SoakRelease.number - 1)...SoakRelease.number }

    /// The identity of the notification. A program that was killed may post the notification again after its restart,
    /// and the server then drops the duplicate, which has the same identity.
    var id: String { "\(Self.wireName)-\(key)-\(number)" }
}

enum SoakRelease {
    static let variable = "RELAY_SOAK_RELEASE"
    static let number = ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? 1
}

/// Work for a group that may handle it in any order.
struct Job: SoakNote {
    static let wireName = "soak.job"
    let key: String
    let number: Int
}

/// Work for a group that keeps the order of each key.
struct Due: SoakNote {
    static let wireName = "soak.due"
    let key: String
    let number: Int
}

/// A notification that one replica of a program receives.
struct Sale: SoakNote {
    static let wireName = "soak.sale"
    let key: String
    let number: Int
}

/// A notification that each replica of a program receives.
struct Receipt: SoakNote {
    static let wireName = "soak.receipt"
    let key: String
    let number: Int
}

enum SoakRoutes {
    static let order = RelayOrder<Due>.by(\.key, partitions: 8)

    static let streams = ["JOBS", "DUES", "SALES", "RECEIPTS"]

    static let shop: [RelayRoute] = [
        .durable(Job.self, .outgoing, stream: "JOBS"), .durable(Due.self, .outgoing, stream: "DUES", ordered: order),
        .durable(Sale.self, .outgoing, stream: "SALES"),
        .durable(Receipt.self, .incoming, stream: "RECEIPTS", from: .stored).consuming { $0.replicas = .each },
    ]

    static let office: [RelayRoute] = [
        .durable(Sale.self, .incoming, stream: "SALES", from: .stored),
        .durable(Receipt.self, .outgoing, stream: "RECEIPTS"),
    ]

    static let worker: [RelayRoute] = [
        .durable(Job.self, stream: "JOBS", group: "workers", from: .stored),
        .durable(Due.self, stream: "DUES", group: "printers", ordered: order, from: .stored),
    ]

    /// The readers that must receive each notification once: two groups, a program, and both replicas of another
    /// program.
    static let readings = [
        "workers": Job.wireName, "printers": Due.wireName, "office": Sale.wireName, "shop-1": Receipt.wireName,
        "shop-2": Receipt.wireName,
    ]

    static let ordered: Set<String> = ["printers"]
}
