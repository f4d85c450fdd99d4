import Foundation
import TidingsRelay

/// What the programs of the soak tell each other. Notifications of one key are numbered from 1.
protocol SoakNote: RemoteNotification {
    var key: String { get }
    var number: Int { get }
    init(key: String, number: Int)
}

extension SoakNote {
    /// A new version with each release of the programs, of which old ones do not read the next.
    static var wireVersion: Int { SoakRelease.number }
    static var readableVersions: ClosedRange<Int> { max(1, SoakRelease.number - 1)...SoakRelease.number }

    /// The same each time that it is posted, so that the server drops what a killed program posts again.
    var id: String { "\(Self.wireName)-\(key)-\(number)" }
}

/// The release of the program.
enum SoakRelease {
    static let variable = "RELAY_SOAK_RELEASE"
    static let number = ProcessInfo.processInfo.environment[variable].flatMap { Int($0) } ?? 1
}

/// Work for a group, in any order.
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

/// What the replicas of a program share.
struct Sale: SoakNote {
    static let wireName = "soak.sale"
    let key: String
    let number: Int
}

/// What each replica of a program gets.
struct Receipt: SoakNote {
    static let wireName = "soak.receipt"
    let key: String
    let number: Int
}

/// How the notifications go over the server.
enum SoakRoutes {
    static let order = RelayOrder<Due>.by(\.key, partitions: 8)

    static let streams = ["JOBS", "DUES", "SALES", "RECEIPTS"]

    /// Those of a program that posts, and gets all receipts.
    static let shop: [RelayRoute] = [
        .durable(Job.self, .outgoing, stream: "JOBS"), .durable(Due.self, .outgoing, stream: "DUES", ordered: order),
        .durable(Sale.self, .outgoing, stream: "SALES"),
        .durable(Receipt.self, .incoming, stream: "RECEIPTS", from: .stored).consuming { $0.replicas = .each },
    ]

    /// Those of a program whose replicas share sales, and which answers them.
    static let office: [RelayRoute] = [
        .durable(Sale.self, .incoming, stream: "SALES", from: .stored),
        .durable(Receipt.self, .outgoing, stream: "RECEIPTS"),
    ]

    /// Those of a member of two groups.
    static let worker: [RelayRoute] = [
        .durable(Job.self, stream: "JOBS", group: "workers", from: .stored),
        .durable(Due.self, stream: "DUES", group: "printers", ordered: order, from: .stored),
    ]

    /// Who gets which notifications once: two groups, a program, and each replica of another one.
    static let readings = [
        "workers": Job.wireName, "printers": Due.wireName, "office": Sale.wireName, "shop-1": Receipt.wireName,
        "shop-2": Receipt.wireName,
    ]

    /// Of whom the order of each key is looked at.
    static let ordered: Set<String> = ["printers"]
}
