/// In `tidings_meta`, `version` is the format that a program must support to use the tables, and `revision` is the last
/// migration. A migration that only adds to the tables keeps `version`, so older programs can still use them.
struct PostgresSchema: Sendable {
    static let version = 1
    static let revision = 3

    let line: PostgresLine
    /// The requested schema, or `nil` for the schema in the search path.
    let wanted: String?

    /// Creates or migrates the tables. If the tables are up to date, the role needs no permission to alter tables.
    func prepare() async throws -> (tables: PostgresTables, identity: String) {
        if let wanted, wanted.isEmpty || wanted.utf8.count > 63 || wanted.utf8.contains(0) {
            throw OutboxError(.invalidName, "\"\(wanted)\" can't be the name of a schema: use 1 to 63 bytes of text")
        }
        let schema = try await schema()
        let tables = PostgresTables(schema)
        for _ in 1...100 {
            var revision = 0
            if let row = try await meta(tables) {
                guard let known = row[0].flatMap(Int.init), known <= Self.version else {
                    throw OutboxError(
                        .unknownSchema,
                        "the tables have version \(row[0] ?? "?"), and this program supports version \(Self.version)")
                }
                revision = row[1].flatMap(Int.init) ?? 1
                if revision >= Self.revision { return (tables, row[2] ?? "") }
            }
            // The migration takes long if many rows need a number, or if another transaction must end first.
            try await line.run(PostgresMigrations.statement(for: schema, after: revision), within: .seconds(600))
        }
        throw OutboxError(.unknownSchema, "the tables cannot be created")
    }

    private func schema() async throws -> String {
        if let wanted { return wanted }
        let rows = try await line.run(
            """
            SELECT coalesce((SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.oid = to_regclass('tidings_meta')), current_schema())::text
            """)
        guard let name = rows.first?[0] else {
            throw OutboxError(.unknownSchema, "no schema in the search path exists")
        }
        return name
    }

    private func meta(_ tables: PostgresTables) async throws -> [String?]? {
        let isThere = try await line.run("SELECT to_regclass($1::text)::text", [tables.meta])
        if isThere.first?[0] == nil { return nil }
        return try await line.run(
            "SELECT version::text, coalesce(to_jsonb(m) ->> 'revision', '1'), identity FROM \(tables.meta) m"
        ).first
    }
}
