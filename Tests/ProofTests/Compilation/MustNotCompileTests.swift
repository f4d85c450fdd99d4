import Testing

/// What the compiler has to refuse, and that it accepts what is right.
@Suite(.serialized) struct MustNotCompileTests {
    @Test(arguments: Snippet.all) func `the compiler says what is expected`(_ snippet: Snippet) throws {
        let compiler = try Snippet.diagnostics(of: Snippet.prelude + snippet.source)
        let diagnostics = compiler.output.split(separator: "\n").filter {
            $0.hasPrefix("/") && ($0.contains(": error: ") || $0.contains(": warning: "))
        }
        switch snippet.expected {
        case .nothing:
            #expect(compiler.status == 0 && diagnostics.isEmpty, "\(compiler.output)")
        case .error(let message):
            #expect(compiler.status != 0)
            #expect(!diagnostics.isEmpty)
            #expect(diagnostics.allSatisfy { $0.contains("error: ") && $0.contains(message) }, "\(compiler.output)")
        case .warning(let message):
            #expect(compiler.status == 0)
            #expect(!diagnostics.isEmpty)
            #expect(diagnostics.allSatisfy { $0.contains("warning: ") && $0.contains(message) }, "\(compiler.output)")
        }
    }
}
