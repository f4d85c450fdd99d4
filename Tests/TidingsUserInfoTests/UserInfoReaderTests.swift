import Foundation
import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct UserInfoReaderTests {
    private struct Opaque: Equatable { var number = 5 }
    private enum Reason: UInt { case unknown = 0, newDevice = 1 }

    private func reader(_ userInfo: [AnyHashable: Any]?, object: Any? = nil) -> UserInfoReader {
        UserInfoReader(Notification(name: Notification.Name("Test"), object: object, userInfo: userInfo))
    }

    private func failure<T>(_ value: Any?, as type: T.Type) -> NotificationDecodingError? {
        #expect(throws: NotificationDecodingError.self) {
            try reader(value.map { ["key": $0] }).value(for: "key", as: type)
        }
    }

    @Test func `objects and values that aren't Codable are read unchanged`() throws {
        let progress = Progress(totalUnitCount: 1)
        let reader = reader(
            ["progress": progress, "opaque": Opaque(), "list": [progress], 7: "seven"], object: progress)
        #expect(try reader.value(for: "progress", as: Progress.self) === progress)
        #expect(try reader.value(for: "opaque", as: Opaque.self) == Opaque())
        #expect(try reader.value(for: "list", as: [Progress].self).first === progress)
        #expect(try reader.value(for: 7, as: String.self) == "seven")
        #expect(try reader.object(as: Progress.self) === progress)
    }

    @Test func `Decodable types are read as the decoder reads them`() throws {
        let reader = reader([
            "frame": NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4)), "count": NSNumber(value: 3.0),
            "names": NSArray(array: ["a"]),
        ])
        #expect(try reader.value(for: "frame", as: CGRect.self).width == 3)
        #expect(try reader.value(for: "count", as: Int.self) == 3)
        #expect(try reader.value(for: "names", as: Set<String>.self) == ["a"])
        #expect(failure(1.5, as: Int.self)?.reason == .inexact)
    }

    @Test func `enums are read from their raw values, whether or not they are Codable`() throws {
        #expect(try reader(["key": NSNumber(value: 1)]).value(for: "key", as: Reason.self) == .newDevice)
        #expect(try reader(["key": Reason.unknown]).value(for: "key", as: Reason.self) == .unknown)
        let error = failure(NSNumber(value: 9), as: Reason.self)
        #expect(error?.reason == .invalid && error?.expected == "Reason" && error?.found == "NSNumber 9")
        #expect(failure(NSNumber(value: -1), as: Reason.self)?.reason == .inexact)
    }

    @Test func `optionals are nil if the key is missing`() throws {
        let reader = reader(["null": NSNull(), "progress": Progress(totalUnitCount: 1)])
        #expect(try reader.value(for: "missing", as: Progress?.self) == nil)
        #expect(try reader.value(for: "null", as: Int?.self) == nil)
        #expect(try reader.value(for: "progress", as: Progress?.self) != nil)
        #expect(throws: NotificationDecodingError.self) { try reader.value(for: "progress", as: Int?.self) }
    }

    @Test func `an error names the notification, the key, the expected type and the actual type`() {
        #expect(
            failure(nil, as: Progress.self)
                == NotificationDecodingError(
                    notification: "Test", keyPath: ["key"], expected: "Progress", found: nil, reason: .missing))
        #expect(failure("text", as: Progress.self)?.found == "String \"text\"")
        #expect(failure("text", as: Progress.self)?.reason == .mistyped)
        let error = #expect(throws: NotificationDecodingError.self) { try reader(nil).object(as: Progress.self) }
        #expect(error?.keyPath == ["object"] && error?.reason == .missing)
    }

    @Test func `Foundation collections are read as collections of objects`() throws {
        let progress = Progress(totalUnitCount: 1)
        let reader = reader([
            "lists": NSArray(array: [NSArray(array: [progress])]), "set": NSSet(array: [progress]),
            "names": NSDictionary(dictionary: ["a": progress]), "array": NSMutableArray(),
        ])
        #expect(try reader.value(for: "lists", as: [[Progress]].self)[0][0] === progress)
        #expect(try reader.value(for: "set", as: Set<Progress>.self) == [progress])
        #expect(try reader.value(for: "names", as: [String: Progress].self)["a"] === progress)
        #expect(try reader.value(for: "array", as: NSMutableArray.self).count == 0)
    }

    @Test func `collections that contain themselves are errors`() {
        let array = NSMutableArray()
        array.add(array)
        let dictionary = NSMutableDictionary()
        dictionary["self"] = dictionary
        defer {
            array.removeAllObjects()
            dictionary.removeAllObjects()
        }
        for value in [array, dictionary, [array], ["a": dictionary]] as [Any] {
            #expect(failure(value, as: [[[Progress]]].self) != nil)
            #expect(failure(value, as: [String: [String: Progress]].self) != nil)
        }
        var bomb = NSArray()
        for _ in 0..<60 { bomb = NSArray(objects: bomb, bomb) }
        #expect(failure(bomb, as: [[Progress]].self)?.reason == .tooMany)
    }
}
