import Testing

/// A database in which the tests of the article *What survives* are made.
enum SurvivalKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, postgres, memory

    var testDescription: String { rawValue }

    /// Those that are built, and whose server is there.
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

/// An observer that the article has a column for.
enum SurvivalColumn: String, CaseIterable, Sendable {
    case center, durable, inbox

    /// How the head of its column begins.
    var title: String {
        switch self {
        case .center: "observers of the center"
        case .durable: "durable observers"
        case .inbox: "with an inbox"
        }
    }
}

/// Which cells of the article's first table a test shows. `SurvivalTableTests` reads it in the source, and knows by it what has no test.
struct Survives: TestTrait {}

extension Trait where Self == Survives {
    /// Says what a test shows: the row of the table, by what dies; the observers that it looks at; and the databases for which it does.
    static func survives(_ row: String, _ columns: SurvivalColumn..., on kinds: [SurvivalKind]) -> Self { Survives() }
}
