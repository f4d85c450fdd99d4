import Testing

/// A database that the tests of the article *What survives* use.
enum SurvivalKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, postgres, memory

    var testDescription: String { rawValue }

    /// The databases that are compiled in. PostgreSQL is included only if a server is available.
    static let available: [SurvivalKind] = {
        var kinds: [SurvivalKind] = []
        #if GRDB
            kinds.append(.sqlite)
        #endif
        #if Libpq
            if postgresServer != nil { kinds.append(.postgres) }
        #endif
        return kinds + [.memory]
    }()

    static let withTransactions = available.filter { $0 != .memory }
}

/// A kind of observer with a column in the article.
enum SurvivalColumn: String, CaseIterable, Sendable {
    case center, durable, inbox

    /// The beginning of the column's heading.
    var title: String {
        switch self {
        case .center: "observers of the center"
        case .durable: "durable observers"
        case .inbox: "durable observers with an inbox"
        }
    }
}

/// The cells of the article's first table that a test covers. `SurvivalTableTests` reads this trait in the source to
/// find cells without a test.
struct Survives: TestTrait {}

extension Trait where Self == Survives {
    /// Declares the cells that a test covers: the first column of the row, the kinds of observers, and the databases.
    static func survives(_ row: String, _ columns: SurvivalColumn..., on kinds: [SurvivalKind]) -> Self { Survives() }
}
