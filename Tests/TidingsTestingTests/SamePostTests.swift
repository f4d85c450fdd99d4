import Foundation
import Testing
import TidingsFoundation
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct SamePostTests {
    private final class Account: Sendable {}
    private struct Entitlement: Codable { var product: String }
    private enum Kind: String, Codable { case paid }

    private struct Changed: BridgedNotification, Codable {
        static let name = "SamePostTests.Changed"
        @NotificationSender var sender: Account?
        var ids: Set<String> = ["a", "b"]
        var entitlements = [Entitlement(product: "vpn")]
        var kind = Kind.paid
        var count = 1
    }

    /// A notification with the same name as `Changed`, written in the form of property lists.
    private struct Listed: BridgedNotification, Codable {
        static let name = "SamePostTests.Changed"
        static let userInfoForm = UserInfoForm.propertyList
        @NotificationSender var sender: Account?
        var ids: Set<String> = ["a"]
    }

    private func post(_ center: NotificationCenter, from account: Account?, _ userInfo: [AnyHashable: Any]) {
        center.post(name: Notification.Name(Changed.name), object: account, userInfo: userInfo)
    }

    @Test func `the check passes if untyped observers receive the same notification from a typed and an untyped post`()
    {
        let account = Account()
        expectSamePost(Changed(sender: account)) { center in
            post(
                center, from: account,
                [
                    "ids": Set(["a", "b"]), "entitlements": [Entitlement(product: "vpn")], "kind": Kind.paid,
                    "count": NSNumber(value: 1),
                ])
        }
    }

    @Test func `a value of another type is reported as a difference`() async {
        await fails(saying: "userInfo[ids] is Set<String>", "untyped post, and Array<Any>", "in the typed one.") {
            expectSamePost(Listed(sender: nil)) { center in post(center, from: nil, ["ids": Set(["a"])]) }
        }
    }

    @Test func `a missing value, another value and another object are reported as differences`() async {
        await fails(
            line: 6,
            saying: "The object is missing in the untyped post, and Account",
            "userInfo[count] is Int 2 in the untyped post, and Int 1",
            "userInfo[kind] is missing in the untyped post, and Kind paid in the typed one.", "no value under kind"
        ) {
            expectSamePost(Changed(sender: Account())) { center in
                post(
                    center, from: nil,
                    ["ids": Set(["a", "b"]), "entitlements": [Entitlement(product: "vpn")], "count": 2])
            }
        }
    }

    @Test func `another name and an additional value are differences`() async {
        await fails(
            line: 4,
            saying: "The untyped post has the name SamePostTests.Other, and the typed one SamePostTests.Changed."
        ) {
            expectSamePost(Listed(sender: nil)) { $0.post(name: Notification.Name("SamePostTests.Other"), object: nil) }
        }
        await fails(saying: "userInfo[old] is Int 1 in the untyped post, and missing in the typed one.") {
            expectSamePost(Listed(sender: nil)) { post($0, from: nil, ["ids": ["a"], "old": 1]) }
        }
    }

    private struct Everything: BridgedNotification, Codable {
        static let name = "SamePostTests.Changed"
        var text = "a"
        var link = URL(fileURLWithPath: "/a")
        var date = Date(timeIntervalSinceReferenceDate: 1)
        var data = Data([1, 2])
        var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var entitlements = ["a": Entitlement(product: "vpn"), "b": Entitlement(product: "mail")]

        /// The entries of an untyped post that uses Foundation's classes.
        var entries: [AnyHashable: Any] {
            [
                "text": NSString(string: text), "link": NSURL(fileURLWithPath: link.path),
                "date": NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate),
                "data": NSData(data: data), "id": NSUUID(uuidString: id.uuidString) ?? NSUUID(),
                "entitlements": entitlements,
            ]
        }
    }

    @Test func `values equal the Foundation objects that represent them, and dictionaries are compared in any order`() {
        let note = Everything()
        expectSamePost(note) { post($0, from: nil, note.entries) }
    }

    @Test(arguments: ["text", "link", "date", "data", "id", "entitlements"])
    func `a Foundation object that represents another value, and a dictionary with another value, are differences`(
        key: String
    ) async {
        let note = Everything()
        let other = Everything(
            text: "b", link: URL(fileURLWithPath: "/b"), date: Date(timeIntervalSinceReferenceDate: 2),
            data: Data([1, 3]), id: UUID(),
            entitlements: ["a": Entitlement(product: "vpn"), "b": Entitlement(product: "tv")])
        var entries = note.entries
        entries[key] = other.entries[key]
        await fails(
            line: 5,
            saying: "1. userInfo[\(key)] is ", "in the untyped post, and ", " in the typed one.",
            "2. The notification, as typed observers read it, is "
        ) {
            expectSamePost(note) { [entries] in post($0, from: nil, entries) }
        }
    }

    @Test func `a missing post is reported`() async {
        await fails(saying: "Untyped posts: 0, typed posts: 1.") {
            expectSamePost(Changed(sender: nil)) { _ in }
        }
    }

    @MainActor
    @Test func `main-actor posts are compared, too`() async {
        struct Shown: MainActorBridgedNotification, Codable {
            static let name = "SamePostTests.Shown"
            var number: Int
        }
        let name = Notification.Name(Shown.name)
        expectSamePost(Shown(number: 1)) { $0.post(name: name, object: nil, userInfo: ["number": 1]) }
        await fails(saying: "userInfo[number] is Int 2 in the untyped post") {
            expectSamePost(Shown(number: 1)) { $0.post(name: name, object: nil, userInfo: ["number": 2]) }
        }
    }
}
