import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Account: Sendable {}

private struct DownloadFinished: NotificationDescriptor {
    struct Payload: Equatable, Sendable {
        let file: String
        let bytes: Int
    }
    let name = Notification.Name("DescriptorTests.DownloadFinished")
}

private struct VolumeChanged: NotificationDescriptor {
    let name = Notification.Name("DescriptorTests.VolumeChanged")

    func encode(_ payload: Double) throws(NotificationEncodingError) -> Notification {
        guard payload >= 0 else { throw NotificationEncodingError(notification: name, reason: "below zero") }
        return Notification(name: name, object: nil, userInfo: ["volume": payload])
    }

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Double {
        if let volume = notification.userInfo?["volume"] as? Double { return volume }
        throw NotificationDecodingError(
            notification: name.rawValue, keyPath: ["volume"], expected: "Double", found: nil, reason: .missing)
    }
}

extension NotificationDescriptor where Self == PayloadDescriptor<String> {
    fileprivate static var titleChanged: Self {
        PayloadDescriptor(name: Notification.Name("DescriptorTests.titleChanged")) { notification in
            notification.object as? String ?? "untitled"
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct DescriptorTests {
    private let center = NotificationCenter()
    private let payload = DownloadFinished.Payload(file: "a", bytes: 7)

    @Test func `a payload is delivered unchanged`() throws {
        let received = ReceivedValues<DownloadFinished.Payload>()
        let token = center.addObserver(descriptor: DownloadFinished()) { payload in received.append(payload) }
        try center.post(DownloadFinished(), payload: payload)
        center.post(try DownloadFinished().encode(payload))
        token.cancel()
        try center.post(DownloadFinished(), payload: payload)
        #expect(received.values == [payload, payload])
        #expect(!token.isActive)
    }

    @Test func `a payload that isn't Sendable is delivered to synchronous observers during the post`() throws {
        final class Box { var value = 1 }
        let descriptor = PayloadDescriptor<Box>(name: Notification.Name("DescriptorTests.box"))
        let token = center.addObserver(descriptor: descriptor) { box in box.value += 1 }
        let box = Box()
        try center.post(descriptor, payload: box)
        #expect(box.value == 2)
        withExtendedLifetime(token) {}
    }

    @Test
    func `a descriptor with custom coding encodes payloads for untyped observers, and decodes untyped posts`() throws {
        let received = ReceivedValues<Double>()
        let classic = center.addObserver(forName: VolumeChanged().name, object: nil, queue: nil) { notification in
            received.append(-(notification.userInfo?["volume"] as? Double ?? 0))
        }
        try center.post(VolumeChanged(), payload: 0.5)
        center.removeObserver(classic)
        let token = center.addObserver(descriptor: VolumeChanged()) { volume in received.append(volume) }
        center.post(name: VolumeChanged().name, object: nil, userInfo: ["volume": 0.25])
        #expect(received.values == [-0.5, 0.25])
        withExtendedLifetime(token) {}
    }

    @Test func `a payload that can't be encoded isn't posted`() {
        let received = ReceivedValues<Double>()
        let token = center.addObserver(descriptor: VolumeChanged()) { volume in received.append(volume) }
        let error = #expect(throws: NotificationEncodingError.self) {
            try center.post(VolumeChanged(), payload: -1)
        }
        #expect(error?.description == "DescriptorTests.VolumeChanged: cannot be posted: below zero")
        #expect(received.values.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `a descriptor created with only a decoding closure can be observed but not posted`() {
        let received = ReceivedValues<String>()
        let token = center.addObserver(descriptor: .titleChanged) { title in received.append(title) }
        let descriptor: PayloadDescriptor<String> = .titleChanged
        center.post(name: descriptor.name, object: "one")
        center.post(name: descriptor.name, object: nil)
        #expect(received.values == ["one", "untitled"])
        #expect(throws: NotificationEncodingError(notification: descriptor.name, reason: "its descriptor only decodes"))
        {
            try center.post(descriptor, payload: "two")
        }
        withExtendedLifetime(token) {}
    }

    @Test func `a descriptor created with decoding and encoding closures can be observed and posted`() throws {
        let name = Notification.Name("DescriptorTests.bothWays")
        let descriptor = PayloadDescriptor<Int>(
            name: name,
            decode: { notification throws(NotificationDecodingError) in
                guard let text = notification.object as? String, let number = Int(text) else {
                    throw NotificationDecodingError(
                        notification: name.rawValue, keyPath: [], expected: "Int", found: nil, reason: .invalid)
                }
                return number
            },
            encode: { number in Notification(name: name, object: "\(number)") })
        let received = ReceivedValues<Int>()
        let token = center.addObserver(descriptor: descriptor) { received.append($0) }
        try center.post(descriptor, payload: 7)
        #expect(received.values == [7])
        #expect(throws: NotificationDecodingError.self) { try descriptor.decode(Notification(name: name)) }
        withExtendedLifetime(token) {}
    }

    @Test func `an observer of results receives decoding errors`() throws {
        let received = ReceivedValues<Result<DownloadFinished.Payload, NotificationDecodingError>>()
        let token = center.addObserver(resultOf: DownloadFinished()) { result in received.append(result) }
        let name = DownloadFinished().name
        try center.post(DownloadFinished(), payload: payload)
        center.post(name: name, object: nil)
        try center.post(PayloadDescriptor<Int>(name: name), payload: 1)
        #expect(received.count == 3)
        #expect(try received.values[0].get() == payload)
        let key = "tidings.payload"
        #expect(
            received.values.dropFirst() == [
                .failure(
                    NotificationDecodingError(
                        notification: name.rawValue, keyPath: [key], expected: "Payload", found: nil, reason: .missing)),
                .failure(
                    NotificationDecodingError(
                        notification: name.rawValue, keyPath: [key], expected: "Payload", found: "PayloadBox<Int>",
                        reason: .mistyped)),
            ])
        withExtendedLifetime(token) {}
    }

    @Test func `a decoding error for an observer of payloads is reported, and other observers are unaffected`() {
        struct Renamed: NotificationDescriptor {
            typealias Payload = String
            let name = Notification.Name("DescriptorTests.Renamed")
        }
        Reports.collect()
        let received = ReceivedValues<String>()
        let number = PayloadDescriptor(name: Renamed().name) { ($0.object as? Int).map { "\($0)" } ?? "-" }
        let tokens = [
            center.addObserver(descriptor: Renamed()) { received.append($0) },
            center.addObserver(descriptor: Renamed()) { received.append($0) },
            center.addObserver(descriptor: number) { received.append($0) },
        ]
        center.post(name: Renamed().name, object: 7)
        #expect(received.values == ["7"])
        #expect(Reports.of(Renamed().name.rawValue).compactMap(\.error?.reason) == [.missing])
        withExtendedLifetime(tokens) {}
    }

    @Test func `an observer can be limited to an object, and a post can have an object`() throws {
        let account = Account()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(descriptor: DownloadFinished(), object: account) { received.append($0.bytes) }
        try center.post(DownloadFinished(), payload: payload, object: account)
        try center.post(DownloadFinished(), payload: payload, object: Account())
        try center.post(DownloadFinished(), payload: payload)
        #expect(received.values == [7])
        withExtendedLifetime(token) {}
    }

    @Test func `an observer can be tied to an owner`() throws {
        final class Owner: Sendable {
            let number = 1
        }
        let received = ReceivedValues<Int>()
        weak let captured: Account?
        let token: NotificationToken
        do {
            let owner = Owner()
            let account = Account()
            captured = account
            token = center.addObserver(owner, descriptor: DownloadFinished()) { me, payload in
                withExtendedLifetime(account) { received.append(payload.bytes + me.number) }
            }
            try center.post(DownloadFinished(), payload: payload)
            #expect(received.values == [8])
            withExtendedLifetime(owner) {}
        }
        #expect(!token.isActive)
        try center.post(DownloadFinished(), payload: payload)
        #expect(received.values == [8])
        #expect(captured == nil)
    }
}
