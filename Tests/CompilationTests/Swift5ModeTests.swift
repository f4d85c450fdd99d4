import Testing

/// The parts of promise 10, isolation, that the compiler enforces in Swift 5 mode.
@Suite(.timeLimit(.minutes(2))) struct Swift5ModeTests {
    private let swift5 = ["-swift-version", "5"]

    private func words(_ source: String, _ options: [String] = []) throws -> (status: Int32, words: String) {
        let (command, diagnostics) = try Snippet.compile(Snippet.prelude + source, options: swift5 + options)
        return (command.status, diagnostics.joined(separator: "\n"))
    }

    @Test func `promise 10, isolation: main-actor state and posts are checked in Swift 5 mode`() throws {
        let state = try words(
            """
            func observe(_ model: Model, on center: NativeNotificationCenter) -> NotificationToken {
                center.addObserver(for: Ping.self) { note in model.count = note.number }
            }
            """)
        #expect(state.status != 0 && state.words.contains("main actor-isolated property 'count' can not be mutated"))
        let post = try words("func post(on center: NativeNotificationCenter) { center.post(Shown()) }")
        #expect(post.status != 0 && post.words.contains("call to main actor-isolated instance method 'post"))
    }

    @Test
    func `values that aren't Sendable compile in Swift 5 mode, and cause a warning with complete checking`() throws {
        let source = """
            final class Owner {
                var count = 0
                func observe(_ center: NativeNotificationCenter) {
                    center.addObserver(self, for: Ping.self) { me, note in me.count = note.number }
                }
            }
            """
        let silent = try words(source)
        #expect(silent.status == 0 && silent.words.isEmpty)
        let complete = try words(source, ["-strict-concurrency=complete"])
        #expect(complete.status == 0)
        #expect(complete.words.contains("warning: type 'Owner' does not conform to the 'Sendable' protocol"))
    }
}
