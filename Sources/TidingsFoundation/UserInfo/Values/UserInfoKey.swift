/// A key of a dictionary, or the index of an array.
enum UserInfoKey: CodingKey {
    case string(String)
    case index(Int)

    init(stringValue: String) { self = .string(stringValue) }
    init(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .string(let string): string
        case .index(let index): String(index)
        }
    }

    var intValue: Int? {
        switch self {
        case .string: nil
        case .index(let index): index
        }
    }
}

extension [any CodingKey] {
    var words: [String] { map { $0.intValue.map(String.init) ?? shortened($0.stringValue) } }
}

/// A property wrapper that determines whether a value has to exist under its key.
protocol UserInfoWrapper: Codable {
    /// Whether it is decoded even if there is no value under its key.
    static var canBeMissing: Bool { get }

    /// Whether it is encoded under its key.
    var isWritten: Bool { get }
}
