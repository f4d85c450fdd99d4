public import Tidings

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
/// The wire name has no default, so that renaming a type doesn't change the name that other programs, and streams on
/// disk, use.
///
/// For a notification whose sender is a string, a number, or another value with a lossless description, the
/// ``remoteSender`` is that description. If the sender is an object, return a value that represents it:
///
/// ```swift
/// struct BalanceChanged: RemoteNotification {
///     static let wireName = "balance"
///     let sender: Account                   // Codable by the account's number
///     var remoteSender: String? { sender.number }
/// }
/// ```
public protocol RemoteNotification: TypedNotification, Codable, Sendable {
    /// The name on the wire: letters, digits, `-` and `_`, in parts separated by dots; at most 255 bytes.
    static var wireName: String { get }

    /// The version of the encoding, 1 by default. Raise it when readers of the old encoding can't read the new one.
    static var wireVersion: Int { get }

    /// The versions that this program reads, by default only its own. A message with another version is a fault, and
    /// isn't posted.
    static var readableVersions: ClosedRange<Int> { get }

    /// The media type of the encoded body, `application/json` by default.
    static var wireContentType: String { get }

    /// The value that represents the sender on the wire, by which subscribers can filter at the server; at most 255
    /// bytes when escaped. It is `nil` for a notification without a sender.
    var remoteSender: String? { get }

    /// Encodes the notification. The default is JSON.
    ///
    /// - Returns: The body.
    func encoded() throws -> Data

    /// Decodes a notification of the current version. The default is JSON.
    ///
    /// - Parameter body: The body.
    /// - Returns: The notification.
    /// - Throws: An error if it can't be decoded.
    static func decoded(_ body: Data) throws -> Self

    /// Decodes a notification of one of the ``readableVersions``. The default ignores the version.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - version: The version of the encoding.
    /// - Returns: The notification.
    /// - Throws: An error if it can't be decoded.
    static func decoded(_ body: Data, version: Int) throws -> Self
}

/// The coders of all bodies. Several threads can use both safely, because their settings never change.
private let encoder = {
    let encoder = JSONEncoder()
    // Decoding and encoding again gives the same bytes, which a relay needs to detect its own echo on a custom center.
    encoder.outputFormatting = .sortedKeys
    return encoder
}()
private let decoder = JSONDecoder()

extension RemoteNotification {
    /// 1.
    public static var wireVersion: Int { 1 }

    /// Only the current version.
    public static var readableVersions: ClosedRange<Int> { wireVersion...wireVersion }

    /// `application/json`.
    public static var wireContentType: String { "application/json" }

    /// Encodes the notification as JSON.
    public func encoded() throws -> Data { try encoder.encode(self) }

    /// Decodes the notification from JSON.
    public static func decoded(_ body: Data) throws -> Self { try decoder.decode(Self.self, from: body) }

    /// Decodes the notification as the current version.
    public static func decoded(_ body: Data, version: Int) throws -> Self { try decoded(body) }
}

extension RemoteNotification where Sender == Void {
    /// `nil`: there is no sender.
    public var remoteSender: String? { nil }
}

extension RemoteNotification where Sender: LosslessStringConvertible {
    /// The sender's description.
    public var remoteSender: String? { sender.description }
}

extension RemoteNotification where Sender == UUID {
    /// The sender's UUID string.
    public var remoteSender: String? { sender.uuidString }
}

extension RemoteNotification {
    /// The type on the wire: the name and the version.
    package static var eventType: EventType { EventType(name: wireName, version: wireVersion) }

    /// Whether notifications of the type have senders.
    package static var hasSenders: Bool { Sender.self != Void.self }
}

/// The type of an event on the wire: the name of a notification and the version of its encoding, `orders.placed.v1`.
package struct EventType: Hashable, Sendable {
    package let name: String
    package let version: Int

    package init(name: String, version: Int) {
        self.name = name
        self.version = version
    }

    /// Parses the type of an event. The result is `nil` if it has no version.
    package init?(_ text: String) {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        let last = text[text.index(after: dot)...]
        guard last.first == "v", let version = Int(last.dropFirst()), version >= 0 else { return nil }
        self.init(name: String(text[..<dot]), version: version)
    }
}

extension EventType: CustomStringConvertible {
    package var description: String { "\(name).v\(version)" }
}
