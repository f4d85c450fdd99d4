import Testing

@Suite(.timeLimit(.minutes(2))) struct MustNotCompileTests {
    @Test(arguments: Snippet.all) func `promise 10, isolation: the compiler reports the expected diagnostic`(
        _ snippet: Snippet
    ) throws {
        try expectWords(of: snippet)
    }

    @Test(arguments: Snippet.words + Snippet.guesses + Snippet.relays) func `a diagnostic names the solution`(
        _ snippet: Snippet
    ) throws {
        try expectWords(of: snippet)
    }

    @Test(arguments: Accepted.all + Accepted.surface) func `correct code compiles`(_ accepted: Accepted) throws {
        let (command, diagnostics) = try Snippet.compile(
            Snippet.prelude + accepted.source, options: accepted.options)
        #expect(command.status == 0 && diagnostics.isEmpty, "\(command.output)")
    }

    @Test(
        arguments: ["7", "Optional(\"Reload\")", "Number.one", "Text(text: \"Reload\")"],
        ["TypedNotification", "MainActorNotification"])
    func `a static name without a string value causes an error that explains how to declare the name`(
        _ name: String, _ kind: String
    )
        throws
    {
        let (command, diagnostics) = try Snippet.compile(
            """
            import Tidings
            enum Number: Int { case one }
            struct Text: Sendable { let text: String }
            struct Reload: \(kind) { static let name = \(name) }
            """)
        #expect(command.status != 0)
        let words = "declare 'name' as a String, or as a constant whose raw value is a String"
        #expect(diagnostics.contains { $0.contains(words) }, "\(command.output)")
    }

    private func expectWords(of snippet: Snippet) throws {
        let right = try Snippet.compile(snippet.right, options: snippet.options)
        #expect(right.command.status == 0 && right.diagnostics.isEmpty, "\(right.command.output)")

        let (command, diagnostics) = try Snippet.compile(snippet.wrong, options: snippet.options)
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

    @Test func `the wrong and the right code of a snippet differ, and each snippet has its own description`() {
        let snippets = Snippet.all + Snippet.words + Snippet.guesses + Snippet.relays
        #expect(snippets.allSatisfy { $0.wrong != $0.right })
        #expect(Set(snippets.map(\.testDescription)).count == snippets.count)
    }
}
