/// The type of an event on the wire: the name of a notification and the version of its form, `orders.placed.v1`.
package struct EventType: Hashable, Sendable {
    package let name: String
    package let version: Int

    package init(name: String, version: Int) {
        self.name = name
        self.version = version
    }

    /// Reads a type as events have it; `nil` if it has no version.
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
