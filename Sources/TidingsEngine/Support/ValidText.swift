extension String {
    /// The text of bytes that are UTF-8; `nil` if they are not.
    ///
    /// `init(validating:as:)` does the same, since macOS 15.
    package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // What is not UTF-8 has been replaced by a character of other bytes, so that the text has them no more.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
