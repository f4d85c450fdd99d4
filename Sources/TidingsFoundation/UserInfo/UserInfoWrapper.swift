/// A property wrapper that is decoded from, and encoded as, something of its own.
protocol UserInfoWrapper: Codable {
    /// Whether it is decoded although there is no value under its key.
    static var canBeMissing: Bool { get }

    /// Whether it is encoded under its key.
    var isWritten: Bool { get }
}

extension Decoder {
    /// The place where a ``UserInfoDecoder`` stands; an error if the decoder is another one.
    func node() throws -> DecodingNode {
        if let node = self as? DecodingNode { return node }
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "it is only decoded by UserInfoDecoder")
        throw DecodingError.dataCorrupted(context)
    }
}
