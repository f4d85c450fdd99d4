@testable import TidingsRelay

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct Tick: RemoteNotification, Hashable {
    static let wireName = "test.tick"
    var number = 0
    var text = ""
}

extension Tick {
    func delivered(to reading: ActiveRoute.Reading) throws -> RelayMessage {
        let event = try CloudEvent(id: "\(number)", source: "shop", type: "test.tick.v1", data: encoded())
        var message = event.message("\(reading.inbox).1", mode: .binary)
        message.reply = "$JS.ACK.\(reading.stream).\(reading.consumer.name).1.\(number).\(number).0.0"
        return message
    }
}

struct Placed: RemoteNotification, Hashable {
    static let wireName = "orders.placed"
    static let wireVersion = 2
    static let readableVersions = 1...2
    let sender: String
    let amount: Int

    private struct First: Codable { let shop: String }

    static func decoded(_ body: Data, version: Int) throws -> Placed {
        if version == 2 { return try decoded(body) }
        return Placed(sender: try JSONDecoder().decode(First.self, from: body).shop, amount: 0)
    }
}

struct Blob: RemoteNotification, Hashable {
    static let wireName = "test.blob"
    static let wireContentType = "application/octet-stream"
    let bytes: [UInt8]

    func encoded() throws -> Data { Data(bytes) }
    static func decoded(_ body: Data) throws -> Blob { Blob(bytes: Array(body)) }
}

final class Account: Codable, Sendable {
    let number: String
    init(number: String) { self.number = number }
}

struct BalanceChanged: RemoteNotification {
    static let wireName = "balance"
    let sender: Account
    var remoteSender: String? { sender.number }
}

struct Unencodable: RemoteNotification {
    static let wireName = "test.unencodable"
    let value: Double
    init() { value = .nan }
}
