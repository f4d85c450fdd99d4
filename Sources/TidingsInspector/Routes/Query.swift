import Tidings

struct Query: Sendable {
    struct Failure: Error {
        let text: String
    }

    private let values: [(name: String, value: String)]

    init(_ text: some StringProtocol) throws(Failure) {
        var values: [(name: String, value: String)] = []
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : "") else {
                throw Failure(text: "the query is not percent-encoded correctly")
            }
            values.append((name, value))
            if values.count > 20 { throw Failure(text: "the query has more than 20 values") }
        }
        self.values = values
    }

    subscript(name: String) -> String? { values.first { $0.name == name }?.value }

    private static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(utf8: bytes)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    func selection() throws(Failure) -> Inspector.Selection {
        var limit = 500
        if let text = self["limit"] {
            guard let number = Int(text), 0...Inspector.Selection.largestLimit ~= number else {
                throw Failure(text: "limit must be a number from 0 to \(Inspector.Selection.largestLimit)")
            }
            limit = number
        }
        let name = self["sort"] ?? Inspector.Selection.Key.waiting.rawValue
        guard let key = Inspector.Selection.Key(rawValue: name) else {
            let keys = Inspector.Selection.Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(text: "sort must be one of \(keys)")
        }
        var isDescending: Bool?
        if let order = self["order"] {
            guard order == "ascending" || order == "descending" else {
                throw Failure(text: "order must be ascending or descending")
            }
            isDescending = order == "descending"
        }
        return Inspector.Selection(
            limit: limit, sortedBy: key, isDescending: isDescending,
            filter: String(decoding: (self["filter"] ?? "").utf8.prefix(InspectorSnapshot.longestText), as: UTF8.self),
            posts: (self["posts"] ?? "").split(separator: ",").map(String.init))
    }

    func interval() throws(Failure) -> Double {
        guard let text = self["every"] else { return 0.5 }
        guard let seconds = Double(text), 0.1...60 ~= seconds else {
            throw Failure(text: "every must be a number of seconds from 0.1 to 60")
        }
        return seconds
    }
}
