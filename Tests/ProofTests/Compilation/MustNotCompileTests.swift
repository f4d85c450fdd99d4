import Testing

/// What the compiler has to refuse, and that it accepts what is right.
@Suite struct MustNotCompileTests {
    @Test(arguments: Snippet.all) func `promise 10, isolation: the compiler says what is expected`(
        _ snippet: Snippet
    ) throws {
        let right = try snippet.compile(snippet.right)
        #expect(right.command.status == 0 && right.diagnostics.isEmpty, "\(right.command.output)")

        let (command, diagnostics) = try snippet.compile(snippet.wrong)
        #expect(!diagnostics.isEmpty)
        switch snippet.expected {
        case .error(let message):
            #expect(command.status != 0)
            #expect(diagnostics.allSatisfy { $0.contains("error: ") && $0.contains(message) }, "\(command.output)")
        case .warning(let message):
            #expect(command.status == 0)
            #expect(diagnostics.allSatisfy { $0.contains("warning: ") && $0.contains(message) }, "\(command.output)")
        }
    }

    @Test func `a snippet names its places`() {
        #expect(Snippet.all.allSatisfy { $0.wrong != $0.right })
        #expect(Set(Snippet.all.map(\.testDescription)).count == Snippet.all.count)
    }
}
