import Foundation
import Tidings
import TidingsRelay

/// What every notification of the benchmark has as its body, in bytes.
let codedBody = Data(#"{"amount":1999,"customer":"c-10482","number":1000000}"#.utf8)

/// A notification whose bytes are there beforehand, so that the relay is measured without anybody's coder.
protocol Coded: RemoteNotification {
    init()
}

extension Coded {
    func encoded() throws -> Data { codedBody }
    static func decoded(_ body: Data) throws -> Self { Self() }
}

/// Goes one way.
struct CodedOrder: Coded {
    static let wireName = "coded"
}

/// Goes there, and is answered.
struct Ping: Coded {
    static let wireName = "ping"
}

/// Comes back.
struct Pong: Coded {
    static let wireName = "pong"
}

/// A notification that Foundation's coders write and read.
struct JSONOrder: RemoteNotification {
    static let wireName = "json"
    let amount: Int
    let customer: String
    let number: Int
}

/// A notification of which each workload can make many.
protocol Numbered: RemoteNotification {
    static func make(_ number: Int) -> Self
}

extension CodedOrder: Numbered {
    static func make(_ number: Int) -> CodedOrder { CodedOrder() }
}

extension JSONOrder: Numbered {
    // As long as the bytes that are there beforehand.
    static func make(_ number: Int) -> JSONOrder {
        JSONOrder(amount: 1999, customer: "c-10482", number: 1_000_000 + number)
    }
}
