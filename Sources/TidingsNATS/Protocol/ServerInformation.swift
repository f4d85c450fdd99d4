#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a server says about itself, as far as a program has to know it.
package struct ServerInformation: Sendable {
    /// The largest message that it takes, in bytes.
    package let maximumPayload: Int
    /// Whether it takes headers.
    package let hasHeaders: Bool
    /// Whether the connection has to be encrypted.
    package let needsEncryption: Bool
    /// What a program signs to show that it has a key; `nil` if it need not.
    package let nonce: String?

    private struct Object: Decodable {
        let max_payload: Int?
        let headers: Bool?
        let tls_required: Bool?
        let nonce: String?
    }

    /// Reads what a server says; `nil` if it is not the JSON that a server writes.
    package init?(_ json: some Collection<UInt8>) {
        guard let object = try? JSONDecoder().decode(Object.self, from: Data(json)) else { return nil }
        maximumPayload = max(0, object.max_payload ?? 1 << 20)
        hasHeaders = object.headers ?? false
        needsEncryption = object.tls_required ?? false
        nonce = object.nonce
    }
}

/// What a program says about itself.
package struct ClientInformation: Encodable, Sendable {
    // What the server is not to do: to confirm each line, and to check subjects once more.
    private let verbose = false
    private let pedantic = false
    private let lang = "swift"
    private let version = "1"
    // It may tell of changes later.
    private let `protocol` = 1
    private let echo = false
    private let headers = true
    // It answers a question that nobody hears.
    private let no_responders = true
    let name: String
    var user: String?
    var pass: String?
    var auth_token: String?
    var jwt: String?
    var nkey: String?
    var sig: String?

    init(name: String) { self.name = name }

    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
