import BareClient
import Foundation
import TidingsRelay

/// Calls NATS's C client directly, like a C program. The messages that `Message.event` returns have the same envelope
/// and header as the messages of the relays.
@safe
// Only one workload at a time uses the client.
final class Bare: @unchecked Sendable {
    struct Message {
        let subject: String
        let body: Data

        /// Returns an event in the format of a relay. It has the length of the longest event that the relays send.
        static func event(_ subject: String, _ type: String) -> Message {
            let text =
                #"{"specversion":"1.0","id":"2tq0uyvxrz2vt3xw8wozqy9kr-123456","source":"sender","type":"\#(type)","#
                + #""time":"2026-01-02T03:04:05.123456Z","datacontenttype":"application/json","data":"#
            return Message(subject: subject, body: Data(text.utf8) + codedBody + Data("}".utf8))
        }

        fileprivate func use(_ use: (UnsafePointer<bare_message>) -> Int32) -> Int {
            // The strings and the bytes exist until `use` has returned.
            unsafe subject.withCString { subject in
                unsafe "application/cloudevents+json".withCString { contentType in
                    unsafe body.withUnsafeBytes { bytes in
                        var message = unsafe bare_message(
                            subject: subject, content_type: contentType, body: bytes.baseAddress,
                            size: Int32(bytes.count))
                        return Int(unsafe use(&message))
                    }
                }
            }
        }
    }

    private let client: OpaquePointer

    init(_ server: NATSServer, sendsAtOnce: Bool = false) throws {
        let address = server.addresses[0]
        guard let client = unsafe bare_connect(address, server.encryption?.authorities, sendsAtOnce) else {
            throw Failure(description: "no server at \(address)")
        }
        unsafe self.client = client
    }

    deinit { unsafe bare_close(client) }

    func transient(_ message: Message, _ count: Int) throws -> Sample {
        try measure(count) { unsafe message.use { unsafe bare_transient(client, $0, Int32(count)) } }
    }

    func durablePublish(_ message: Message, _ count: Int) throws -> Sample {
        try measure(count) { unsafe message.use { unsafe bare_durable_publish(client, $0, Int32(count)) } }
    }

    func durableConsume(_ stream: String, _ subject: String, _ count: Int) throws -> Sample {
        var nanoseconds = 0.0
        // The batch size is 512, as in a relay.
        let found = unsafe bare_durable_consume(client, stream, subject, 512, Int32(count), &nanoseconds)
        try Miscount.check(.cClient, Int(found), count)
        return Sample(value: nanoseconds)
    }

    func roundTrips(_ there: Message, _ back: Message, _ count: Int) throws -> Sample {
        try measure(count) {
            unsafe there.use { there in
                Int32(unsafe back.use { unsafe bare_round_trips(client, there, $0, Int32(count)) })
            }
        }
    }

    private func measure(_ expected: Int, _ work: () -> Int) throws -> Sample {
        let began = ContinuousClock.now
        let found = work()
        let sample = Sample(value: began.duration(to: .now).nanoseconds)
        try Miscount.check(.cClient, found, expected)
        return sample
    }
}
