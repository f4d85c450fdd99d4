import BareClient
import Foundation
import TidingsNATS

/// The C client, which does what the relays do: the same messages, on the same subjects, with the same headers.
@safe
// Used by one workload after the other.
final class Bare: @unchecked Sendable {
    private let client: OpaquePointer

    init(_ url: String, sendsAtOnce: Bool) throws {
        guard let client = unsafe bare_connect(url, sendsAtOnce) else { throw Failure(description: "no server at \(url)") }
        unsafe self.client = client
    }

    deinit { unsafe bare_close(client) }

    func transient(_ message: Message, _ count: Int) throws {
        try check(unsafe message.use { message in unsafe bare_transient(client, message, Int32(count)) }, count)
    }

    func durablePublish(_ message: Message, _ count: Int) throws {
        try check(unsafe message.use { message in unsafe bare_durable_publish(client, message, Int32(count)) }, count)
    }

    /// Reads a stream.
    ///
    /// - Returns: The nanoseconds that it took.
    func durableConsume(_ stream: String, _ subject: String, batch: Int, _ count: Int) throws -> Double {
        var nanoseconds = 0.0
        try check(unsafe bare_durable_consume(client, stream, subject, Int32(batch), Int32(count), &nanoseconds), count)
        return nanoseconds
    }

    func roundTrips(_ there: Message, _ back: Message, _ count: Int) throws {
        let found = unsafe there.use { there in
            unsafe back.use { back in unsafe bare_round_trips(client, there, back, Int32(count)) }
        }
        try check(found, count)
    }

    private func check(_ found: Int32, _ expected: Int) throws {
        if Int(found) != expected { throw Miscount(found: Int(found), expected: expected) }
    }

    /// A message as the C client is given it.
    struct Message {
        let subject: String
        let contentType: String
        let body: Data

        func use(_ body: (UnsafePointer<bare_message>) -> Int32) -> Int32 {
            // The strings and the bytes exist during the call.
            unsafe subject.withCString { subject in
                unsafe contentType.withCString { contentType in
                    unsafe self.body.withUnsafeBytes { bytes in
                        var message = unsafe bare_message(
                            subject: subject, content_type: contentType, body: bytes.baseAddress,
                            size: Int32(bytes.count))
                        return unsafe body(&message)
                    }
                }
            }
        }
    }
}

/// Something without which nothing can be measured.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
