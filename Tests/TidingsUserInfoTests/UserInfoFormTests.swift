import Foundation
import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct UserInfoFormTests {
    private let name = Notification.Name("Test")

    private func encode(_ value: some Encodable, _ form: UserInfoForm = .values) throws -> [AnyHashable: Any] {
        try UserInfoEncoder(form: form).encode(value, notification: name)
    }

    private struct Entitlement: Codable, Hashable { var product: String }
    private enum Kind: String, Codable { case paid, free }
    private enum Shape: Codable, Equatable { case circle(radius: Double), empty }

    private struct Payload: Codable, Equatable {
        var ids: Set<String> = ["a", "b"]
        var entitlements = [Entitlement(product: "vpn")]
        var kind = Kind.paid
        var shape = Shape.circle(radius: 1)
        var frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        var selection = 2..<5
        var byName = ["one": Entitlement(product: "one")]
        var link = URL(string: "https://example.org/a?b#c")
        var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var wide = Int128(5)
        var price = Decimal(string: "1.25")
        var small: Float = 0.5
        var count = UInt64.max
        var day = Date(timeIntervalSince1970: 5)
        var missing: Int?
        var list: [Int?] = [1, nil]
    }

    @Test func `values are written unchanged`() throws {
        let userInfo = try encode(Payload())
        #expect(userInfo["ids"] as? Set<String> == ["a", "b"])
        #expect(userInfo["entitlements"] as? [Entitlement] == [Entitlement(product: "vpn")])
        #expect(userInfo["kind"] as? Kind == .paid)
        #expect(userInfo["shape"] as? Shape == .circle(radius: 1))
        #expect(userInfo["frame"] as? CGRect == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(userInfo["selection"] as? Range<Int> == 2..<5)
        #expect(userInfo["byName"] as? [String: Entitlement] == ["one": Entitlement(product: "one")])
        #expect(userInfo["link"] is URL && userInfo["id"] is UUID && userInfo["price"] is Decimal)
        #expect(userInfo["list"] as? [Int?] == [1, nil])
        #expect(userInfo.keys.contains("missing") == false)
        #expect(try UserInfoDecoder().decode(Payload.self, from: userInfo, notification: "Test") == Payload())
    }

    @Test func `a type that encodes another value in its place is written as the properties of that value`() throws {
        struct Box: Encodable {
            let payload: Entitlement
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(payload)
            }
        }
        #expect(try encode(Box(payload: Entitlement(product: "vpn")))["product"] as? String == "vpn")
        #expect(throws: NotificationEncodingError.self) { try encode(5) }
        #expect(throws: NotificationEncodingError.self) { try encode([1]) }
    }

    @Test func `a property with a nested optional is written unwrapped`() throws {
        struct Twice: Codable {
            var there: Int?? = 1
            var none: Int?? = .some(nil)
        }
        let userInfo = try encode(Twice())
        #expect(userInfo["there"].map { type(of: $0) == Int.self } == true)
        #expect(userInfo["none"] is NSNull)
    }

    @Test func `a value that isn't Codable is written unchanged, or as its raw value if that is requested`() throws {
        enum Reason: Int { case added = 1 }
        final class Player: Sendable {}
        struct Changed: Codable {
            @UserInfoValue var reason: Reason
            @UserInfoValue var player: Player?
        }
        let changed = Changed(reason: UserInfoValue(wrappedValue: .added).wrappedValue, player: nil)
        #expect(try encode(changed)["reason"] as? Reason == .added)
        #expect(try encode(changed, .objects)["reason"] as? Int == 1)
        #expect(try encode(changed, .propertyList)["reason"] as? Int64 == 1)
        let error = #expect(throws: NotificationEncodingError.self) {
            try encode(Changed(reason: .added, player: Player()), .propertyList)
        }
        #expect(error?.reason == "a value of type Player under player cannot be in a property list")
    }

    @Test func `a property list is written and read back unchanged`() throws {
        var payload = Payload()
        payload.list = [1, 2]
        let userInfo = try encode(payload, .propertyList)
        let plist = try #require(userInfo as? [String: Any])
        let data = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
        let read = try #require(
            try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(read["kind"] as? String == "paid")
        #expect(read["link"] as? String == "https://example.org/a?b#c")
        #expect((read["entitlements"] as? [[String: String]]) == [["product": "vpn"]])
        #expect(try UserInfoDecoder().decode(Payload.self, from: read, notification: "Test") == payload)
    }

    @Test func `a value that property lists don't support causes an error that explains why`() throws {
        func reason(_ value: some Encodable) -> String? {
            #expect(throws: NotificationEncodingError.self) { try encode(value, .propertyList) }?.reason
        }
        struct Values: Encodable {
            var list: [Int?]?
            var wide: Int128?
            var price: Decimal?
        }
        #expect(reason(Values(list: [1, nil]))?.hasSuffix("is nil, which a property list cannot contain") == true)
        #expect(reason(Values(wide: .max)) == "a value of type Int128 under wide cannot be in a property list")
        let price = Decimal(string: "1.2345678901234567890123")
        #expect(reason(Values(price: price))?.contains("under price cannot be in a property list") == true)
        struct Keyed: Codable {
            var one = 1
            enum CodingKeys: UserInfoCodingKey {
                case one
                var userInfoKey: AnyHashable { 1 }
            }
        }
        #expect(reason(Keyed())?.contains("under one has a key that is not a string") == true)
        #expect(reason(Keyed())?.contains("property lists need strings") == true)
    }

    @Test func `a string that isn't a valid URL or UUID is an error`() {
        struct Link: Codable { var link: URL }
        struct ID: Codable { var id: UUID }
        func reason<T: Decodable>(_ type: T.Type, _ userInfo: [AnyHashable: Any]) -> NotificationDecodingError.Reason? {
            #expect(throws: NotificationDecodingError.self) {
                try UserInfoDecoder().decode(type, from: userInfo, notification: "Test")
            }?
            .reason
        }
        #expect(reason(Link.self, ["link": ""]) == .inexact)
        #expect(reason(ID.self, ["id": "no"]) == .inexact)
        #expect(reason(ID.self, ["id": 5]) == .mistyped)
        struct Frame: Codable { var frame: CGRect }
        #expect(reason(Frame.self, ["frame": [1, 2, 3]]) == .mistyped)
        #expect(reason(Frame.self, ["frame": [[1, 2]]]) == .missing)
        struct Selection: Codable { var selection: Range<Int> }
        #expect(reason(Selection.self, ["selection": [5, 2]]) == .invalid)
    }
}

@Suite(.timeLimit(.minutes(2))) struct UserInfoCodingKeyTests {
    private enum PlayerKey { case volume, player }

    private struct Changed: Codable, Equatable {
        var volume: Float
        var title: String?
        var settings = Settings()

        struct Settings: Codable, Equatable {
            var loud = true
            enum CodingKeys: UserInfoCodingKey {
                case loud
                var userInfoKey: AnyHashable { 7 }
            }
        }

        enum CodingKeys: String, UserInfoCodingKey {
            case volume, settings
            case title = "TitleKey"
            var userInfoKey: AnyHashable {
                switch self {
                case .volume: PlayerKey.volume
                case .title: "TitleKey"
                case .settings: PlayerKey.player
                }
            }
        }
    }

    private let decoder = UserInfoDecoder()

    @Test func `keys that aren't strings are written and read`() throws {
        let changed = Changed(volume: 0.5, title: "One")
        let name = Notification.Name("Test")
        for form in [UserInfoForm.values, .objects] {
            let userInfo = try UserInfoEncoder(form: form).encode(changed, notification: name)
            #expect(userInfo[PlayerKey.volume] as? Float == 0.5)
            #expect(userInfo["TitleKey"] as? String == "One")
            #expect(userInfo.keys.contains("volume") == false)
            #expect(try decoder.decode(Changed.self, from: userInfo, notification: "Test") == changed)
        }
        let objects = try UserInfoEncoder(form: .objects).encode(changed, notification: name)
        #expect((objects[PlayerKey.player] as? [AnyHashable: Any])?[7] as? Bool == true)
    }

    @Test func `keys of any type are found among many other keys, including Foundation strings and numbers`() throws {
        var userInfo: [AnyHashable: Any] = [
            PlayerKey.volume: 0.5, NSString("TitleKey"): "One",
            PlayerKey.player: ["loud": true, 7: false] as [AnyHashable: Any],
        ]
        #expect(
            try decoder.decode(Changed.self, from: userInfo, notification: "Test")
                == Changed(volume: 0.5, title: "One", settings: .init(loud: false)))
        for number in 0..<100 { userInfo[number] = number }
        userInfo[PlayerKey.player] = NSDictionary(dictionary: [NSNumber(value: 7): NSNumber(value: false)])
        #expect(
            try decoder.decode(Changed.self, from: userInfo, notification: "Test")
                == Changed(volume: 0.5, title: "One", settings: .init(loud: false)))
    }

    @Test func `for keys of any type, a missing key or a wrong value is an error that names the coding key`() {
        let missing = #expect(throws: NotificationDecodingError.self) {
            try decoder.decode(Changed.self, from: ["volume": 1], notification: "Test")
        }
        #expect(missing?.keyPath == ["volume"] && missing?.reason == .missing)
        let mistyped = #expect(throws: NotificationDecodingError.self) {
            try decoder.decode(Changed.self, from: [PlayerKey.volume: "loud"], notification: "Test")
        }
        #expect(mistyped?.keyPath == ["volume"] && mistyped?.reason == .mistyped)
    }

    @Test func `two coding keys for one dictionary key are an error`() {
        struct Twice: Encodable {
            var one = 1
            var other = 2
            enum CodingKeys: UserInfoCodingKey {
                case one, other
                var userInfoKey: AnyHashable { 1 }
            }
        }
        let error = #expect(throws: NotificationEncodingError.self) {
            try UserInfoEncoder().encode(Twice(), notification: Notification.Name("Test"))
        }
        #expect(error?.reason == "a value of type Twice has two coding keys for one key")
        struct Outer: Encodable { var list = [Twice()] }
        let nested = #expect(throws: NotificationEncodingError.self) {
            try UserInfoEncoder(form: .objects).encode(Outer(), notification: Notification.Name("Test"))
        }
        #expect(nested?.reason == "a value of type Outer under list.0 has two coding keys for one key")
    }
}
