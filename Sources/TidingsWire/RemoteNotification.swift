#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A notification that can be sent to other processes and stored.
///
/// ```swift
/// struct OrderPlaced: RemoteNotification {
///     static let wireName = "orders.placed"
///     let number: Int
/// }
/// ```
///
/// The wire name has no default, so renaming a type doesn't change the name that messages and other programs use.
///
/// If the sender is a string, a number, or another value with a lossless description, ``remoteSender`` is that
/// description. If the sender is an object, return a value that represents it:
///
/// ```swift
/// struct BalanceChanged: RemoteNotification {
///     static let wireName = "balance"
///     let sender: Account                   // Codable by the account's number
///     var remoteSender: String? { sender.number }
/// }
/// ```
public protocol RemoteNotification: TypedNotification, Codable, Sendable {
    /// The name on the wire, up to 255 bytes: ASCII letters, digits, `-` and `_`, in parts separated by dots.
    static var wireName: String { get }

    /// The version of the encoding, 1 by default. Increase it when readers of the old encoding can't read the new one.
    static var wireVersion: Int { get }

    /// The versions that this program reads, by default only the current one. Other versions are reported as faults.
    static var readableVersions: ClosedRange<Int> { get }

    /// The media type of the encoded body, `application/json` by default.
    static var wireContentType: String { get }

    /// The value that represents the sender on the wire, with at most 255 bytes when escaped, or `nil` if there is no
    /// sender. The server can filter a subscriber's messages by this value.
    var remoteSender: String? { get }

    /// Encodes the notification. The default is JSON.
    ///
    /// - Returns: The body of the message.
    /// - Throws: An error if the notification can't be encoded.
    func encoded() throws -> Data

    /// Decodes a notification of the current version. The default is JSON.
    ///
    /// - Parameter body: The body of the message.
    /// - Returns: The notification.
    /// - Throws: An error if the body can't be decoded.
    static func decoded(_ body: Data) throws -> Self

    /// Decodes a notification of one of the ``readableVersions``. The default ignores the version.
    ///
    /// - Parameters:
    ///   - body: The body of the message.
    ///   - version: The version of the encoding.
    /// - Returns: The notification.
    /// - Throws: An error if the body can't be decoded.
    static func decoded(_ body: Data, version: Int) throws -> Self
}

/// Several threads may use the coders, because their settings never change.
private let encoder = {
    let encoder = JSONEncoder()
    // On a custom center, a relay recognizes its own posts by their bytes, so encoding must always give the same bytes.
    encoder.outputFormatting = .sortedKeys
    return encoder
}()
private let decoder = JSONDecoder()

extension RemoteNotification {
    /// Returns 1.
    public static var wireVersion: Int { 1 }

    /// Returns only the current version.
    public static var readableVersions: ClosedRange<Int> { wireVersion...wireVersion }

    /// Returns `application/json`.
    public static var wireContentType: String { "application/json" }

    /// Encodes the notification as JSON.
    public func encoded() throws -> Data { try encoder.encode(self) }

    /// Decodes the notification from JSON.
    public static func decoded(_ body: Data) throws -> Self { try decoder.decode(Self.self, from: body) }

    /// Decodes the notification as the current version, and ignores `version`.
    public static func decoded(_ body: Data, version: Int) throws -> Self { try decoded(body) }

    package static var eventType: EventType { EventType(name: wireName, version: wireVersion) }
    package static var hasSenders: Bool { Sender.self != Void.self }
}

extension RemoteNotification where Sender == Void {
    /// Returns `nil`, because there is no sender.
    public var remoteSender: String? { nil }
}

extension RemoteNotification where Sender: LosslessStringConvertible {
    /// Returns the sender's description.
    public var remoteSender: String? { sender.description }
}

extension RemoteNotification where Sender == UUID {
    /// Returns the sender's UUID string.
    public var remoteSender: String? { sender.uuidString }
}

/// The name of a notification and the version of its encoding, such as `orders.placed.v1`.
package struct EventType: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    package let version: Int

    package init(name: String, version: Int) {
        self.name = name
        self.version = version
    }

    package init?(_ text: String) {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        let last = text[text.index(after: dot)...]
        guard last.first == "v", let version = Int(last.dropFirst()), version >= 0 else { return nil }
        self.init(name: String(text[..<dot]), version: version)
    }

    package var description: String { "\(name).v\(version)" }
}

extension String {
    /// A hash that is the same in all programs (FNV-1a), unlike that of Swift's `Hasher`.
    package var stableHash: UInt64 {
        utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
