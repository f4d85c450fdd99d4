extension String {
    /// Creates a string from UTF-8 bytes, or returns `nil` if they aren't valid. `init(validating:as:)` does the same,
    /// but requires macOS 15.
    @export(implementation)
    package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes with a replacement character, so the string's bytes differ from the input.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
