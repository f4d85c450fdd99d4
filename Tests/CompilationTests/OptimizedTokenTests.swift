#if os(Linux)
    import Foundation
    import Testing

    /// The lifetime of tokens in an optimized program.
    ///
    /// The optimizer may release a local array before its last use in the source, even before the next statement. The
    /// line "an array made by map" of the output then says 0 of 3. Swift guarantees neither this result nor 3 of 3, so
    /// the test ignores this line.
    @Suite(.timeLimit(.minutes(2))) struct OptimizedTokenTests {
        @Test(arguments: ["-Onone", "-O", "-Osize"])
        func `tokens held for a scope observe until the scope ends`(optimisation: String) throws {
            let lines = try run(Self.program, optimisation).split(separator: "\n").map(String.init)
            let promised = lines.filter { !$0.hasPrefix("an array made by map") }
            #expect(promised.count == 10 && lines.count == 11)
            #expect(promised.allSatisfy { $0.hasSuffix(", 3 of 3") }, "\(lines.joined(separator: "\n"))")
        }

        private func run(_ source: String, _ optimisation: String) throws -> String {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let main = folder.appending(path: "main.swift")
            try source.write(to: main, atomically: true, encoding: .utf8)
            let products = try BuiltProducts.directory()
            // The object files that are linked into a program that uses only Tidings.
            let list = products.appending(path: "LinkageProbe.product/Objects.LinkFileList")
            let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
                .filter { !$0.contains("/LinkageProbe.build/") }
            let program = folder.appending(path: "program").path
            let build = try Command(
                "swiftc",
                [optimisation, "-swift-version", "6", main.path, "-o", program] + BuiltProducts.importOptions()
                    + objects)
            #expect(build.status == 0, "\(build.output)")
            let run = try Command(program, [])
            #expect(run.status == 0)
            return run.output
        }

        private static let program = """
            import Tidings

            struct Ping: TypedNotification {}
            typealias Center = NativeNotificationCenter

            final class Holder {
                var tokens = NotificationTokens()
                init(_ center: Center) { for _ in 0..<3 { observe(center).store(in: &tokens) } }
            }

            func observe(_ center: Center) -> NotificationToken { center.addObserver(for: Ping.self) { _ in } }

            @inline(never) func stored(_ center: Center) -> Int {
                var tokens = NotificationTokens()
                for _ in 0..<3 { observe(center).store(in: &tokens) }
                return center.post(Ping())
            }
            @inline(never) func mapped(_ center: Center) -> Int {
                let tokens = NotificationTokens((0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } })
                _ = tokens.count
                return center.post(Ping())
            }
            @inline(never) func removed(_ center: Center) -> Int {
                var tokens = NotificationTokens((0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } })
                let calls = center.post(Ping())
                tokens.removeAll()
                precondition(center.post(Ping()) == 0)
                return calls
            }
            @inline(never) func discarded(_ center: Center) -> Int {
                let tokens = NotificationTokens([observe(center), observe(center), observe(center)])
                let calls = center.post(Ping())
                _ = tokens
                return calls
            }
            @inline(never) func twice(_ center: Center) -> Int {
                var tokens = NotificationTokens((0..<3).map { _ in observe(center) })
                center.post(Ping())
                let calls = center.post(Ping())
                tokens.removeAll()
                return calls
            }
            @inline(never) func existential(_ center: any TypedNotificationCenter) -> Int {
                var tokens = NotificationTokens((0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } })
                let calls = center.post(Ping())
                tokens.removeAll()
                return calls
            }
            @inline(never) func held(_ center: Center) -> Int {
                let holder = Holder(center)
                let calls = center.post(Ping())
                holder.tokens.removeAll()
                return calls
            }
            @inline(never) func awaited(_ center: Center) async -> Int {
                var tokens = NotificationTokens((0..<3).map { _ in observe(center) })
                await Task.yield()
                let calls = await center.deliver(Ping()).observers
                for token in tokens.removeAll() { await token.cancelAndDrain() }
                return calls
            }
            @inline(never) func extended(_ center: Center) -> Int {
                let array = (0..<3).map { _ in observe(center) }
                return withExtendedLifetime(array) { center.post(Ping()) }
            }
            @inline(never) func extendedAfter(_ center: Center) -> Int {
                let array = (0..<3).map { _ in observe(center) }
                let calls = center.post(Ping())
                withExtendedLifetime(array) {}
                return calls
            }
            @inline(never) func array(_ center: Center) -> Int {
                var array = (0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } }
                let calls = center.post(Ping())
                array.removeAll()
                return calls
            }

            func tell(_ name: String, _ calls: Int) { print("\\(name), \\(calls) of 3") }
            tell("tokens stored", stored(Center()))
            tell("tokens made of an array", mapped(Center()))
            tell("tokens removed after the post", removed(Center()))
            tell("tokens assigned to nothing after the post", discarded(Center()))
            tell("tokens and two posts", twice(Center()))
            tell("tokens of any center", existential(Center()))
            tell("tokens of an object", held(Center()))
            tell("tokens in an asynchronous function", await awaited(Center()))
            tell("an array with an extended lifetime", extended(Center()))
            tell("an array whose lifetime is extended after the post", extendedAfter(Center()))
            tell("an array made by map", array(Center()))
            """
    }
#endif
