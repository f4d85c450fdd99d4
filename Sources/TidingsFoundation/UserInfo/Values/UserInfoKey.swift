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

protocol UserInfoWrapper: Codable {
    static var canBeMissing: Bool { get }

    var isWritten: Bool { get }
}
