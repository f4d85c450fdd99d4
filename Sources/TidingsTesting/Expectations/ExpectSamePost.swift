public import Foundation
import Tidings
public import TidingsFoundation

/// Expects that untyped observers can't distinguish a typed post from the untyped post that it replaces, and that typed
/// observers can decode the untyped post.
///
/// Each post is made on its own center. The name, the object and the values of `userInfo` are compared, by type and by
/// equality, so the cast `userInfo["key"] as? Value` has to give the same result for both posts.
///
/// ```swift
/// @Test func `observers that are not converted see what they always saw`() {
///     expectSamePost(ArticlesRead(sender: account, articleIDs: ["a"])) { center in
///         center.post(name: .articlesRead, object: account, userInfo: ["articleIDs": Set(["a"])])
///     }
/// }
/// ```
///
/// The entry that a typed post adds to `userInfo` isn't compared, so observers that count entries can see a difference.
///
/// - Parameters:
///   - typed: The typed notification.
///   - fileID: The file of the call.
///   - filePath: The path of the file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - byHand: Makes the untyped post on a center, as the replaced code did.
public func expectSamePost<N: BridgedNotification>(
    _ typed: N, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, byHand: (NotificationCenter) -> Void
) {
    let (first, second) = (SeenPosts(), SeenPosts())
    byHand(first.center)
    second.center.post(typed)
    first.expectSame(
        as: second, typed: typed, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { post throws(NotificationDecodingError) in try N(bridging: post) }
}

/// Expects that untyped observers can't distinguish a typed post on the main actor from the untyped post that it
/// replaces, and that typed observers can decode the untyped post.
///
/// - Parameters:
///   - typed: The typed notification.
///   - fileID: The file of the call.
///   - filePath: The path of the file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - byHand: Makes the untyped post on a center, as the replaced code did.
@MainActor
public func expectSamePost<N: MainActorBridgedNotification>(
    _ typed: N, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, byHand: @MainActor (NotificationCenter) -> Void
) {
    let (first, second) = (SeenPosts(), SeenPosts())
    byHand(first.center)
    second.center.post(typed)
    first.expectSame(
        as: second, typed: typed, at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { post throws(NotificationDecodingError) in try N(bridging: post) }
}

/// `@unchecked` is correct because each instance is used by only one thread.
private final class SeenPosts: @unchecked Sendable {
    let center = NotificationCenter()
    private var posts: [Notification] = []
    private var observer: (any NSObjectProtocol)?

    init() {
        observer = center.addObserver(forName: nil, object: nil, queue: nil) { [weak self] in self?.posts.append($0) }
    }

    deinit {
        if let observer { center.removeObserver(observer) }
    }

    func expectSame<N>(
        as other: SeenPosts, typed: N, at site: CallSite,
        reading read: (Notification) throws(NotificationDecodingError) -> N
    ) {
        var lines = differences(from: other)
        if let post = posts.first {
            do throws(NotificationDecodingError) {
                if let words = Comparison.difference(byHand: try read(post), typed: typed) {
                    lines.append("The notification, as typed observers read it, \(words)")
                }
            } catch {
                lines.append("Typed observers cannot read the untyped post: \(error)")
            }
        }
        if lines.isEmpty { return }
        site.report(["The untyped post and the typed post differ:"] + numberedLines(lines))
    }

    private func differences(from typed: SeenPosts) -> [String] {
        let (byHand, typed) = (posts, typed.posts)
        guard byHand.count == 1, typed.count == 1 else {
            return ["Untyped posts: \(byHand.count), typed posts: \(typed.count). Expected one of each."]
        }
        var lines: [String] = []
        if byHand[0].name != typed[0].name {
            lines.append(
                "The untyped post has the name \(byHand[0].name.rawValue), and the typed one \(typed[0].name.rawValue)."
            )
        }
        if let words = Comparison.difference(byHand: byHand[0].object, typed: typed[0].object) {
            lines.append("The object \(words)")
        }
        let (first, second) = (byHand[0].userInfoByHand, typed[0].userInfoByHand)
        for key in Set(first.keys).union(second.keys).sorted(by: { "\($0)" < "\($1)" }) {
            if let words = Comparison.difference(byHand: first[key], typed: second[key]) {
                lines.append("userInfo[\(key)] \(words)")
            }
        }
        return lines
    }
}

private enum Comparison {
    /// Returns `nil` if the values are equal; otherwise, the rest of a sentence that begins with the entry's name.
    static func difference(byHand: Any?, typed: Any?) -> String? {
        switch (byHand, typed) {
        case (nil, nil): return nil
        case (let byHand?, nil): return "is \(words(of: byHand)) in the untyped post, and missing in the typed one."
        case (nil, let typed?): return "is missing in the untyped post, and \(words(of: typed)) in the typed one."
        case (let byHand?, let typed?):
            if areSame(byHand, typed) { return nil }
            return "is \(words(of: byHand)) in the untyped post, and \(words(of: typed)) in the typed one."
        }
    }

    private static func areSame(_ one: Any, _ other: Any) -> Bool {
        let areObjects = (type(of: one) is AnyObject.Type, type(of: other) is AnyObject.Type)
        if areObjects == (true, true), (one as AnyObject) === (other as AnyObject) { return true }
        // A Swift value and the Foundation object that represents it, such as an `NSNumber`, can be cast to the same
        // types, so they count as equal.
        if areObjects.0 != areObjects.1 { return haveSameObject(one, other) }
        guard type(of: one) == type(of: other) else { return areObjects.0 && haveSameObject(one, other) }
        if let one = one as? any Equatable { return isEqual(one, other) }
        if areObjects.0 { return false }
        return haveSameParts(one, other)
    }

    private static func isEqual<E: Equatable>(_ one: E, _ other: Any) -> Bool { (other as? E) == one }

    private static func haveSameObject(_ one: Any, _ other: Any) -> Bool {
        func isSame<Object: NSObject>(_ type: Object.Type) -> Bool {
            guard let one = one as? Object, let other = other as? Object else { return false }
            return one.isEqual(other)
        }
        return isSame(NSNumber.self) || isSame(NSString.self) || isSame(NSURL.self) || isSame(NSDate.self)
            || isSame(NSData.self) || isSame(NSUUID.self) || isSame(NSArray.self) || isSame(NSDictionary.self)
            || isSame(NSSet.self)
    }

    /// Compares the parts of two values. The order of a dictionary's entries doesn't matter.
    private static func haveSameParts(_ one: Any, _ other: Any) -> Bool {
        if let one = one as? [AnyHashable: Any], let other = other as? [AnyHashable: Any] {
            return one.count == other.count
                && one.allSatisfy { key, value in other[key].map { areSame(value, $0) } ?? false }
        }
        let (first, second) = (Mirror(reflecting: one).children, Mirror(reflecting: other).children)
        // An enum case without associated values has no children, only a name.
        if first.isEmpty, second.isEmpty { return "\(one)" == "\(other)" }
        return first.count == second.count
            && zip(first, second).allSatisfy { $0.label == $1.label && areSame($0.value, $1.value) }
    }

    private static func words(of value: Any) -> String {
        type(of: value) is AnyObject.Type ? "\(type(of: value))" : "\(type(of: value)) \(value)"
    }
}
