import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Player: Sendable {}

private struct VolumeChanged: BridgedNotification, Codable, Equatable {
    static let name = "BridgedNotificationTests.VolumeChanged"
    var volume: Float
    var frame: CGRect?
    enum CodingKeys: String, CodingKey {
        case volume = "VolumeKey"
        case frame = "FrameKey"
    }
}

private struct TrackEnded: BridgedNotification, Codable {
    static let name = "BridgedNotificationTests.TrackEnded"
    @NotificationSender var sender: Player
    var title: String?
}

private struct Paused: BridgedNotification, Codable {
    static let name = "BridgedNotificationTests.Paused"
}

private struct QueueChanged: BridgedNotification, Codable {
    static let name = "BridgedNotificationTests.QueueChanged"
    enum Reason: Int { case added = 1, removed }
    @NotificationSender var sender: Player?
    @UserInfoValue var reason: Reason
    @UserInfoValue var previous: Player?
    @UserInfoValue var all: [Player]
}

private struct Handmade: BridgedNotification {
    static let name = "BridgedNotificationTests.Handmade"
    let sender: Player
    let object: Progress

    init(sender: Player, object: Progress) {
        self.sender = sender
        self.object = object
    }

    init(bridging notification: Notification) throws(NotificationDecodingError) {
        let reader = UserInfoReader(notification)
        sender = try reader.object(as: Player.self)
        object = try reader.value(for: "object", as: Progress.self)
    }

    func bridged() throws(NotificationEncodingError) -> Notification {
        Notification(name: Notification.Name(Self.name), object: sender, userInfo: ["object": object])
    }
}

@Suite(.timeLimit(.minutes(2))) struct BridgedNotificationTests {
    private let center = NotificationCenter()

    private func post<N: BridgedNotification>(
        _ type: N.Type, object: Any? = nil, _ userInfo: [AnyHashable: Any]? = nil
    ) {
        center.post(name: Notification.Name(N.name), object: object, userInfo: userInfo)
    }

    private func seen<N: BridgedNotification>(_ notification: N) -> Notification? {
        nonisolated(unsafe) var seen: Notification?
        let observer = center.addObserver(forName: Notification.Name(N.name), object: nil, queue: nil) { note in
            unsafe seen = note
        }
        defer { center.removeObserver(observer) }
        center.post(notification)
        return unsafe seen
    }

    @Test func `an untyped post reaches typed observers`() {
        let received = ReceivedValues<VolumeChanged>()
        let token = center.addObserver(for: VolumeChanged.self) { received.append($0) }
        post(
            VolumeChanged.self,
            ["VolumeKey": NSNumber(value: 0.5), "FrameKey": NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4))])
        post(VolumeChanged.self, ["VolumeKey": 1])
        #expect(
            received.values == [
                VolumeChanged(volume: 0.5, frame: CGRect(x: 1, y: 2, width: 3, height: 4)),
                VolumeChanged(volume: 1, frame: nil),
            ])
        withExtendedLifetime(token) {}
    }

    @Test func `untyped observers receive the values of a typed post in userInfo`() {
        let player = Player()
        let volume = seen(VolumeChanged(volume: 0.5, frame: .zero))
        #expect((volume?.userInfo?["VolumeKey"] as? NSNumber)?.floatValue == 0.5)
        #expect(volume?.userInfo?["FrameKey"] as? CGRect == .zero)
        #expect(volume?.object == nil)
        let ended = seen(TrackEnded(sender: player, title: "One"))
        #expect(ended?.object as? Player === player)
        #expect(ended?.userInfo?["title"] as? String == "One")
        #expect(ended?.userInfo?["sender"] == nil)
    }

    @Test func `a typed post reaches typed observers unchanged and is counted`() {
        let received = ReceivedValues<Float>()
        let token = center.addObserver(for: VolumeChanged.self) { received.append($0.volume) }
        #expect(center.post(VolumeChanged(volume: .nan)) == 1)
        #expect(received.values.first?.isNaN == true)
        withExtendedLifetime(token) {}
    }

    @Test func `the object of an untyped post is the sender, to which observers can be limited`() {
        let (one, other) = (Player(), Player())
        let received = ReceivedValues<String>()
        let tokens = [
            center.addObserver(for: TrackEnded.self, sender: one) { received.append("one: \($0.title ?? "-")") },
            center.addObserver(for: TrackEnded.self) { received.append("\($0.sender === one ? "one" : "other")") },
        ]
        post(TrackEnded.self, object: one, ["title": "A"])
        post(TrackEnded.self, object: other)
        center.post(TrackEnded(sender: one, title: nil))
        #expect(received.values == ["one: A", "one", "other", "one: -", "one"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a notification without data is created from a post without userInfo`() {
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: Paused.self) { _ in received.append(1) }
        post(Paused.self)
        post(Paused.self, object: self, ["other": 1])
        center.post(Paused())
        #expect(received.count == 3)
        #expect(seen(Paused())?.name.rawValue == Paused.name)
        withExtendedLifetime(token) {}
    }

    @Test func `objects and enums that aren't Codable are read and written unchanged`() throws {
        let (player, previous) = (Player(), Player())
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: QueueChanged.self) { note in
            received.append(note.reason.rawValue)
            #expect(note.previous == nil || note.previous === previous)
            #expect(note.all.count == note.reason.rawValue)
        }
        post(QueueChanged.self, ["reason": NSNumber(value: 1), "all": NSArray(array: [player])])
        post(
            QueueChanged.self, object: player,
            ["reason": QueueChanged.Reason.removed, "previous": previous, "all": [player, previous]])
        post(QueueChanged.self, ["reason": 1, "previous": NSNull(), "all": [player]])
        #expect(received.values == [1, 2, 1])
        let changed = seen(QueueChanged(sender: nil, reason: .added, previous: nil, all: [player]))
        #expect(changed?.userInfo?["reason"] as? QueueChanged.Reason == .added)
        #expect(changed?.userInfo?.keys.contains("previous") == false)
        #expect(changed?.userInfo?["all"] as? [Player] != nil)
        #expect(try QueueChanged(bridging: try #require(changed)).all.first === player)
        withExtendedLifetime(token) {}
    }

    @Test func `untyped observers receive the sets, structs and enums of a typed post unchanged`() throws {
        struct ArticlesRead: BridgedNotification, Codable, Equatable {
            static let name = "BridgedNotificationTests.ArticlesRead"
            enum Status: String, Codable { case read }
            struct Article: Codable, Hashable { var title: String }
            var articleIDs: Set<String> = ["a", "b"]
            var articles = [Article(title: "One")]
            var status = Status.read
        }
        let classic = try #require(seen(ArticlesRead()))
        #expect(classic.userInfo?["articleIDs"] as? Set<String> == ["a", "b"])
        #expect(classic.userInfo?["articles"] as? [ArticlesRead.Article] == [ArticlesRead.Article(title: "One")])
        #expect(classic.userInfo?["status"] as? ArticlesRead.Status == .read)
        #expect(try ArticlesRead(bridging: classic) == ArticlesRead())
    }

    @Test func `a type whose userInfoForm is propertyList writes its values as property list types`() throws {
        struct Synced: BridgedNotification, Codable {
            static let name = "BridgedNotificationTests.Synced"
            static let userInfoForm = UserInfoForm.propertyList
            var keys: Set<String> = ["a"]
        }
        let classic = try #require(seen(Synced()))
        #expect(classic.userInfo?["keys"] as? [String] == ["a"])
        #expect(try Synced(bridging: classic).keys == ["a"])
    }

    @Test func `keys of any type can be read and written through a UserInfoCodingKey`() throws {
        enum Key { case number }
        struct Keyed: BridgedNotification, Codable {
            static let name = "BridgedNotificationTests.Keyed"
            var number: Int
            enum CodingKeys: UserInfoCodingKey {
                case number
                var userInfoKey: AnyHashable { Key.number }
            }
        }
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: Keyed.self) { received.append($0.number) }
        post(Keyed.self, [Key.number: 1])
        #expect(seen(Keyed(number: 2))?.userInfo?[Key.number] as? Int == 2)
        #expect(received.values == [1, 2])
        withExtendedLifetime(token) {}
    }

    @Test func `a value that can't be decoded is reported, and other observers are unaffected`() {
        Reports.collect()
        struct Broken: BridgedNotification, Codable {
            static let name = "BridgedNotificationTests.Broken"
            @NotificationSender var sender: Player
            var number: Int
        }
        let received = ReceivedValues<Int>()
        let tokens = [
            center.addObserver(for: Broken.self) { received.append($0.number) },
            center.addObserver(for: Broken.self) { received.append($0.number) },
        ]
        post(Broken.self, object: Player(), ["number": "one"])
        post(Broken.self, object: nil, ["number": 1])
        post(Broken.self, object: "player", ["number": 1])
        post(Broken.self, object: Player())
        post(Broken.self, object: Player(), ["number": 5])
        #expect(received.values == [5, 5])
        #expect(
            Reports.of(Broken.name).compactMap(\.error) == [
                NotificationDecodingError(
                    notification: Broken.name, keyPath: ["number"], expected: "Int", found: "String \"one\"",
                    reason: .mistyped),
                NotificationDecodingError(
                    notification: Broken.name, keyPath: ["object"], expected: "Player", found: nil, reason: .missing),
                NotificationDecodingError(
                    notification: Broken.name, keyPath: ["object"], expected: "Player", found: "String \"player\"",
                    reason: .mistyped),
                NotificationDecodingError(
                    notification: Broken.name, keyPath: ["number"], expected: "Int", found: nil, reason: .missing),
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a notification that can't be encoded is posted without userInfo and reported`() {
        Reports.collect()
        struct Stubborn: BridgedNotification, Codable {
            static let name = "BridgedNotificationTests.Stubborn"
            struct Unhappy: Error {}
            init() {}
            init(from decoder: any Decoder) {}
            func encode(to encoder: any Encoder) throws { throw Unhappy() }
        }
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: Stubborn.self) { _ in received.append(1) }
        #expect(seen(Stubborn())?.name.rawValue == Stubborn.name)
        #expect(received.count == 1)
        let report = Reports.of(Stubborn.name).first
        #expect(report?.kind == .unencodable)
        #expect(report?.encodingError?.reason == "Unhappy()")
        #expect(report?.description == "\(Stubborn.name): cannot be posted: Unhappy()")
        withExtendedLifetime(token) {}
    }

    @Test func `a type that isn't Codable is bridged by its own methods`() {
        let player = Player()
        let received = ReceivedValues<ObjectIdentifier>()
        let token = center.addObserver(for: Handmade.self) { received.append(ObjectIdentifier($0.object)) }
        let progress = Progress(totalUnitCount: 1)
        post(Handmade.self, object: player, ["object": progress])
        #expect(seen(Handmade(sender: player, object: progress))?.userInfo?["object"] as? Progress === progress)
        #expect(received.values == [ObjectIdentifier(progress), ObjectIdentifier(progress)])
        withExtendedLifetime(token) {}
    }

    @Test func `a bridged post reaches observers of all bridged types with its name, and other typed posts don't`() {
        Reports.collect()
        struct One: BridgedNotification, Codable {
            static let name = "BridgedNotificationTests.shared"
            var number: Int
        }
        struct Other: BridgedNotification, Codable {
            static let name = "BridgedNotificationTests.shared"
            var number: Double
        }
        struct Foreign: TypedNotification { static let name = "BridgedNotificationTests.shared" }
        let received = ReceivedValues<String>()
        let tokens = [
            center.addObserver(for: One.self) { received.append("one \($0.number)") },
            center.addObserver(for: Other.self) { received.append("other \($0.number)") },
        ]
        #expect(center.post(One(number: 1)) == 2)
        #expect(center.post(Foreign()) == 0)
        #expect(received.values == ["one 1", "other 1.0"])
        #expect(Reports.of(One.name).compactMap(\.error?.reason) == [.mistyped, .mistyped])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a sequence, a call of first(of:) and an observer in a task receive untyped posts`() async {
        let sequence = center.notifications(of: VolumeChanged.self)
        post(VolumeChanged.self, ["VolumeKey": 1])
        var iterator = sequence.makeAsyncIterator()
        #expect(await iterator.next() == VolumeChanged(volume: 1, frame: nil))
        let first = await center.first(of: VolumeChanged.self, where: { $0.volume > 0 }) {
            post(VolumeChanged.self, ["VolumeKey": 0])
            post(VolumeChanged.self, ["VolumeKey": 0.5])
        }
        #expect(first?.volume == 0.5)
        let queued = ReceivedValues<Float>()
        let token = center.addObserver(on: .task, for: VolumeChanged.self) { note in queued.append(note.volume) }
        post(VolumeChanged.self, ["VolumeKey": 0.25])
        await queued.wait(for: 1)
        #expect(queued.values == [0.25])
        withExtendedLifetime(token) {}
    }

    @Test func `JSON coders reject properties that only userInfo supports`() {
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode(QueueChanged(sender: nil, reason: .added, previous: nil, all: []))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TrackEnded.self, from: Data(#"{"sender": {}}"#.utf8))
        }
    }
}
