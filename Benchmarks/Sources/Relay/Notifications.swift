import Foundation
import Tidings
import TidingsRelay

let codedBody = Data(#"{"amount":1999,"customer":"c-10482","number":1000000}"#.utf8)

/// A notification whose encoded bytes are constant, so that measurements of the relay don't include encoding or
/// decoding.
protocol Coded: RemoteNotification {
    init()
}

extension Coded {
    func encoded() throws -> Data { codedBody }
    static func decoded(_ body: Data) throws -> Self { Self() }
}

struct CodedOrder: Coded {
    static let wireName = "coded"
}

struct Ping: Coded {
    static let wireName = "ping"
}

struct Pong: Coded {
    static let wireName = "pong"
}

struct JSONOrder: RemoteNotification {
    static let wireName = "json"
    let amount: Int
    let customer: String
    let number: Int
}

protocol Numbered: RemoteNotification {
    static func make(_ number: Int) -> Self
}

extension CodedOrder: Numbered {
    static func make(_ number: Int) -> CodedOrder { CodedOrder() }
}

extension JSONOrder: Numbered {
    // The encoded notification has the same length as `codedBody`.
    static func make(_ number: Int) -> JSONOrder {
        JSONOrder(amount: 1999, customer: "c-10482", number: 1_000_000 + number)
    }
}
