// swift-format-ignore-file
// The part of swift-log's interface that Examples/Snippets/Sources/StoreWithPostgresNIO.swift uses.

public struct Logger: Sendable {
    public init(label: String) {}
}
