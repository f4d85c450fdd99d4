import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

enum SenderFolder: String, Codable, Sendable { case inbox, archive }
enum SenderLevel: Int, Codable, Sendable { case low = 1, high = 2 }

/// A value that can be the object of a classic post, which is an untyped post.
protocol SenderValue: Hashable, Codable, Sendable {
    static var senderValue: Self { get }
    /// Objects that represent the value in a classic post.
    static var senderForms: [Any] { get }
    /// Objects that represent other senders.
    static var otherSenders: [Any] { get }
}

extension String: SenderValue {
    static var senderValue: String { "u1" }
    static var senderForms: [Any] { ["u1", NSString("u1"), ["u", "1"].joined(), NSMutableString("u1")] }
    static var otherSenders: [Any] { ["u2", NSString("u2")] }
}
extension Int: SenderValue {
    static var senderValue: Int { 7 }
    static var senderForms: [Any] { [7, NSNumber(7), NSNumber(value: Int8(7)), NSNumber(value: 7.0), Int32(7)] }
    static var otherSenders: [Any] { [8, NSNumber(8)] }
}
extension Double: SenderValue {
    static var senderValue: Double { 1.5 }
    static var senderForms: [Any] { [1.5, NSNumber(value: 1.5), Float(1.5), NSNumber(value: Float(1.5))] }
    static var otherSenders: [Any] { [2.5, NSNumber(2)] }
}
extension Bool: SenderValue {
    static var senderValue: Bool { true }
    static var senderForms: [Any] { [true, NSNumber(value: true), NSNumber(1)] }
    static var otherSenders: [Any] { [false, NSNumber(value: false)] }
}
extension UUID: SenderValue {
    static let senderValue = UUID()
    static var senderForms: [Any] {
        [senderValue, senderValue as NSUUID, senderValue.uuidString, NSString(string: senderValue.uuidString)]
    }
    static var otherSenders: [Any] { [UUID(), UUID() as NSUUID] }
}
extension URL: SenderValue {
    static var senderValue: URL { URL(fileURLWithPath: "/mine") }
    static var senderForms: [Any] { [senderValue, senderValue as NSURL, senderValue.absoluteString] }
    static var otherSenders: [Any] { [URL(fileURLWithPath: "/other"), NSURL(fileURLWithPath: "/other")] }
}
extension Date: SenderValue {
    static var senderValue: Date { Date(timeIntervalSince1970: 1) }
    static var senderForms: [Any] { [senderValue, senderValue as NSDate] }
    static var otherSenders: [Any] { [Date(timeIntervalSince1970: 2), NSDate(timeIntervalSince1970: 2)] }
}
extension Data: SenderValue {
    static var senderValue: Data { Data([1, 2]) }
    static var senderForms: [Any] { [senderValue, senderValue as NSData, NSMutableData(data: senderValue)] }
    static var otherSenders: [Any] { [Data([3]), NSData(data: Data([3]))] }
}
extension SenderFolder: SenderValue {
    static var senderValue: SenderFolder { .inbox }
    static var senderForms: [Any] { [SenderFolder.inbox, "inbox", NSString("inbox")] }
    static var otherSenders: [Any] { [SenderFolder.archive, "archive", NSString("archive")] }
}
extension SenderLevel: SenderValue {
    static var senderValue: SenderLevel { .high }
    static var senderForms: [Any] { [SenderLevel.high, 2, NSNumber(2)] }
    static var otherSenders: [Any] { [SenderLevel.low, 1, NSNumber(1)] }
}

private struct Changed<Value: SenderValue>: BridgedNotification, Codable {
    static var name: String { "ValueSenderTests.Changed.\(Value.self)" }
    @NotificationSender var sender: Value
}

private struct MaybeChanged<Value: SenderValue>: BridgedNotification, Codable {
    static var name: String { "ValueSenderTests.MaybeChanged.\(Value.self)" }
    @NotificationSender var sender: Value?
}

private struct AnythingChanged: BridgedNotification {
    static let name = "ValueSenderTests.AnythingChanged"
    let sender: any Sendable
    init(bridging notification: Notification) throws(NotificationDecodingError) {
        sender = try UserInfoReader(notification).object(as: (any Sendable).self)
    }
    func bridged() throws(NotificationEncodingError) -> Notification {
        Notification(name: Notification.Name(Self.name), object: sender)
    }
}

private struct Shown<Value: SenderValue>: MainActorBridgedNotification, Codable {
    static var name: String { "ValueSenderTests.Shown.\(Value.self)" }
    @NotificationSender var sender: Value
}

private struct EpisodeAdded: BridgedNotification, Codable {
    static let name = "ValueSenderTests.EpisodeAdded"
    @NotificationSender var sender: String
    var number: Int
}

private final class Calls: Sendable {
    private let calls = Lock<[String]>([])

    func append(_ call: String) { calls.withLock { $0.append(call) } }

    func taken() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }
}

private let values: [any SenderValue.Type] = [
    String.self, Int.self, Double.self, Bool.self, UUID.self, URL.self, Date.self, Data.self, SenderFolder.self,
    SenderLevel.self,
]

@Suite struct ValueSenderTests {
    private let center = NotificationCenter()

    @Test(arguments: values)
    func `promise 7, senders: a classic post with any form of the sender's value reaches the sender's observers`(
        type: any SenderValue.Type
    ) {
        func check<Value: SenderValue>(_ type: Value.Type) {
            let calls = Calls()
            let tokens = [
                center.addObserver(for: Changed<Value>.self) { _ in calls.append("everyone") },
                center.addObserver(for: Changed<Value>.self, sender: Value.senderValue) { _ in calls.append("limited")
                },
                center.addObserver(for: Changed<Value>.self, where: { $0.sender == Value.senderValue }) { _ in
                    calls.append("where")
                },
                center.addObserver(
                    for: Changed<Value>.self, sender: Value.senderValue, where: { $0.sender == Value.senderValue }
                ) {
                    _ in calls.append("both")
                },
            ]
            for form in Value.senderForms {
                center.post(name: Notification.Name(Changed<Value>.name), object: form)
                #expect(
                    calls.taken() == ["everyone", "limited", "where", "both"], "\(form) as \(Swift.type(of: form))")
            }
            for other in Value.otherSenders {
                center.post(name: Notification.Name(Changed<Value>.name), object: other)
                #expect(calls.taken() == ["everyone"], "\(other) as \(Swift.type(of: other))")
            }
            #expect(center.post(Changed(sender: Value.senderValue)) == 4)
            withExtendedLifetime(tokens) {}
        }
        check(type)
    }

    @Test(arguments: values)
    func
        `promise 7, senders: a classic post reaches the observers of its sender, even if the sender's type is optional or existential`(
            type: any SenderValue.Type
        )
    {
        func check<Value: SenderValue>(_ type: Value.Type) {
            let calls = Calls()
            let tokens = [
                center.addObserver(for: MaybeChanged<Value>.self, sender: Value.senderValue) { _ in
                    calls.append("optional")
                },
                center.addObserver(for: AnythingChanged.self, sender: Value.senderValue) { _ in calls.append("anything")
                },
            ]
            for form in Value.senderForms {
                center.post(name: Notification.Name(MaybeChanged<Value>.name), object: form)
                #expect(calls.taken() == ["optional"], "\(form) as \(Swift.type(of: form))")
            }
            // For a sender of an existential type, only Foundation objects are decoded, so a Swift value of another
            // type counts as a different sender. The loop skips such values.
            for form in Value.senderForms
            where Swift.type(of: form) == Value.self || Swift.type(of: form) is AnyObject.Type {
                center.post(name: Notification.Name(AnythingChanged.name), object: form)
                #expect(calls.taken() == ["anything"], "\(form) as \(Swift.type(of: form))")
            }
            for other in Value.otherSenders + [NSNull()] {
                center.post(name: Notification.Name(MaybeChanged<Value>.name), object: other)
                center.post(name: Notification.Name(AnythingChanged.name), object: other)
            }
            center.post(name: Notification.Name(MaybeChanged<Value>.name), object: nil)
            #expect(calls.taken() == [])
            withExtendedLifetime(tokens) {}
        }
        check(type)
    }

    @MainActor
    @Test(arguments: values)
    func `promise 7, senders: a classic post reaches main-actor observers of its sender`(type: any SenderValue.Type) {
        func check<Value: SenderValue>(_ type: Value.Type) {
            var calls: [String] = []
            let tokens = [
                center.addObserver(for: Shown<Value>.self) { _ in calls.append("everyone") },
                center.addObserver(for: Shown<Value>.self, sender: Value.senderValue) { _ in calls.append("limited") },
            ]
            for form in Value.senderForms {
                center.post(name: Notification.Name(Shown<Value>.name), object: form)
                #expect(calls == ["everyone", "limited"], "\(form) as \(Swift.type(of: form))")
                calls = []
            }
            for other in Value.otherSenders {
                center.post(name: Notification.Name(Shown<Value>.name), object: other)
                #expect(calls == ["everyone"], "\(other) as \(Swift.type(of: other))")
                calls = []
            }
            withExtendedLifetime(tokens) {}
        }
        check(type)
    }

    @Test(arguments: values)
    func `promise 7, senders: a classic post reaches observers of a descriptor that are limited to its object`(
        type: any SenderValue.Type
    ) {
        func check<Value: SenderValue>(_ type: Value.Type) {
            let calls = ReceivedValues<Int>()
            let name = Notification.Name("ValueSenderTests.described.\(Value.self)")
            let descriptor = PayloadDescriptor(name: name) { _ in 1 }
            let token = center.addObserver(descriptor: descriptor, object: Value.senderValue) { calls.append($0) }
            for form in Value.senderForms { center.post(name: name, object: form) }
            for other in Value.otherSenders { center.post(name: name, object: other) }
            center.post(name: name, object: nil)
            #expect(calls.count == Value.senderForms.count)
            withExtendedLifetime(token) {}
        }
        check(type)
    }

    @Test
    func `promise 9, bad input: an undecodable sender is reported, even if all observers are limited to a sender`() {
        let calls = ReceivedValues<Int>()
        let token = center.addObserver(for: EpisodeAdded.self, sender: "u1") { calls.append($0.number) }
        Reports.collect()
        // The missing number isn't reported for this post, because the observer is limited to the sender u1.
        center.post(name: Notification.Name(EpisodeAdded.name), object: "u2", userInfo: nil)
        center.post(name: Notification.Name(EpisodeAdded.name), object: "u1", userInfo: nil)
        center.post(name: Notification.Name(EpisodeAdded.name), object: 5, userInfo: ["number": 1])
        let reports = Reports.of(EpisodeAdded.name)
        #expect(calls.count == 0)
        #expect(reports.count == 2)
        withExtendedLifetime(token) {}
    }

    @Test func `a post by a sender other than the observer's is neither delivered nor counted`() {
        let token = center.addObserver(for: Changed<String>.self, sender: "u1") { _ in }
        center.post(name: Notification.Name(Changed<String>.name), object: NSString("u2"))
        center.post(name: Notification.Name(Changed<String>.name), object: NSString("u1"))
        #expect(center.post(Changed(sender: "u2")) == 0)
        #expect(center.post(Changed(sender: "u1")) == 1)
        #expect(center.statistics.rows.map(\.deliveries) == [2])
        #expect(center.observations.map(\.sender) == ["String"])
        withExtendedLifetime(token) {}
    }
}
