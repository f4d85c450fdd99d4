#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package struct JSONMembers {
    package var members: [(name: String, value: Data)] { places.map { ($0.name, Data(bytes[$0.value])) } }

    private let bytes: [UInt8]
    private var places: [(name: String, value: Range<Int>)] = []

    package init(_ text: Data) throws(Malformed) { try self.init(Array(text)) }

    package init(_ bytes: [UInt8]) throws(Malformed) {
        self.bytes = bytes
        var scanner = JSONScanner(bytes)
        while let member = try scanner.next() {
            guard let name = JSONText.string(in: bytes, member.name) else {
                throw Malformed(position: member.name.lowerBound, expected: "a name")
            }
            places.append((name, member.value))
        }
    }

    private func place(_ name: String) -> Range<Int>? { places.last { $0.name == name }?.value }

    package subscript(name: String) -> Data? { place(name).map { Data(bytes[$0]) } }

    package func string(_ name: String) -> String? {
        place(name).flatMap { JSONText.string(in: bytes, $0) }
    }

    package func number(_ name: String) -> Int? {
        place(name).flatMap { Int(String(decoding: bytes[$0], as: UTF8.self)) }
    }

    package func bool(_ name: String) -> Bool? {
        place(name).flatMap { Bool(String(decoding: bytes[$0], as: UTF8.self)) }
    }

    func bytes(_ name: String) -> [UInt8]? {
        string(name).flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }

    package func strings(_ name: String) -> [String]? {
        self[name].flatMap { try? JSONDecoder().decode([String].self, from: $0) }
    }

    package func object(_ name: String) -> JSONMembers? {
        place(name).flatMap { try? JSONMembers(Array(bytes[$0])) }
    }

    package func replacing(_ new: [(name: String, value: String)]) -> String {
        let others = members.filter { member in !new.contains { $0.name == member.name } }.map {
            (name: $0.name, value: String(decoding: $0.value, as: UTF8.self))
        }
        return "{" + (others + new).map { "\(JSONText.string($0.name)):\($0.value)" }.joined(separator: ",") + "}"
    }

    package struct Malformed: Error, CustomStringConvertible {
        let position: Int
        let expected: String
        package var description: String { "not a JSON object: \(expected) is expected at byte \(position)" }
    }
}
