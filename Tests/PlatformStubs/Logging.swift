// swift-format-ignore-file
//
// As much of swift-log's interface as Snippets/StoreWithPostgresNIO.swift uses.

public struct Logger: Sendable {
    public init(label: String) {}
}
