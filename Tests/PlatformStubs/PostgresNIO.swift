// swift-format-ignore-file
// The part of postgres-nio's interface that Examples/Snippets/Sources/StoreWithPostgresNIO.swift uses.
public import Logging

public protocol PostgresDecodable {}
extension String: PostgresDecodable {}
extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {}

public struct PostgresBindings: Sendable, Hashable {
    public init() {}
    public mutating func append(_ value: String) {}
    public mutating func appendNull() {}
}

public struct PostgresQuery: Sendable, Hashable {
    public init(unsafeSQL sql: String, binds: PostgresBindings = PostgresBindings()) {}
}

public struct PostgresCell: Sendable, Equatable {
    public func decode<T: PostgresDecodable>(_: T.Type, file: String = #fileID, line: Int = #line) throws -> T { fatalError() }
}

public struct PostgresRow: Sendable, Equatable, Collection {
    public struct Index: Comparable, Sendable { public static func < (lhs: Index, rhs: Index) -> Bool { false } }
    public var startIndex: Index { fatalError() }
    public var endIndex: Index { fatalError() }
    public func index(after index: Index) -> Index { fatalError() }
    public subscript(index: Index) -> PostgresCell { fatalError() }
}

public struct PostgresRowSequence: Sendable {
    public func collect() async throws -> [PostgresRow] { fatalError() }
}

public final class PostgresConnection: Sendable {
    init() {}
    @discardableResult
    public func query(_ query: PostgresQuery, logger: Logger, file: String = #fileID, line: Int = #line) async throws -> PostgresRowSequence {
        fatalError()
    }
}
