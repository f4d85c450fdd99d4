import Foundation

/// A temporary folder with keys and certificates. It is removed when the object is deallocated.
final class KeyFolder: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    static func ofServers() throws -> KeyFolder {
        let keys = try KeyFolder()
        try keys.makeCertificate(for: "localhost")
        return keys
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    func openssl(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
    }

    func makeCertificate(for host: String) throws {
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(host)", "-addext",
            "subjectAltName=DNS:\(host)", "-keyout", path("server.key"), "-out", path("server.crt"))
    }

    /// The kind is `O` for an operator, `A` for an account, or `U` for a user.
    func makeKey(_ kind: Character) throws -> Key {
        let name = "\(kind)-\(UUID())"
        try openssl("genpkey", "-algorithm", "ed25519", "-outform", "DER", "-out", path("\(name).der"))
        try openssl(
            "pkey", "-inform", "DER", "-in", path("\(name).der"), "-pubout", "-outform", "DER", "-out",
            path("\(name).pub"))
        // In both formats, the last 32 bytes are the key itself.
        return Key(
            folder: self, file: path("\(name).der"), kind: kind, seed: try read("\(name).der").suffix(32),
            publicKey: try read("\(name).pub").suffix(32))
    }

    struct Key {
        let folder: KeyFolder
        let file: String
        let kind: Character
        let seed: ArraySlice<UInt8>
        let publicKey: ArraySlice<UInt8>

        private var kindByte: UInt8 { UInt8(alphabet.firstIndex(of: kind) ?? 0) << 3 }

        /// The public key in the format of NATS.
        var publicText: String { base32(withChecksum([kindByte] + publicKey)) }

        /// The seed in the format of NATS, which starts with `S` and the letter of the kind.
        var seedText: String {
            let first = UInt8(18 << 3) | kindByte >> 5
            return base32(withChecksum([first, (kindByte & 31) << 3] + seed))
        }

        func sign(_ claims: String, for other: Key) throws -> String {
            let header = base64(Array(#"{"typ":"JWT","alg":"ed25519-nkey"}"#.utf8))
            let all =
                #"{"jti":"\#(UUID())","iat":1700000000,"iss":"\#(publicText)","sub":"\#(other.publicText)",\#(claims)}"#
            let text = "\(header).\(base64(Array(all.utf8)))"
            try folder.write("text", text)
            try folder.openssl(
                "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", file, "-in", folder.path("text"), "-out",
                folder.path("signature"))
            return "\(text).\(base64(try folder.read("signature")))"
        }
    }
}

private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

private func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

private func base32(_ bytes: [UInt8]) -> String {
    var (text, buffer, bits) = ("", 0, 0)
    for byte in bytes {
        buffer = (buffer << 8 | Int(byte)) & 0xFFFF
        bits += 8
        while bits >= 5 {
            bits -= 5
            text.append(alphabet[buffer >> bits & 31])
        }
    }
    if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
    return text
}

/// Returns the bytes followed by their CRC-16/XMODEM, lower byte first.
private func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt16 = 0
    for byte in bytes {
        sum ^= UInt16(byte) << 8
        for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
    }
    return bytes + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
}
