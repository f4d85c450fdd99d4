import Foundation
import Testing

/// A piece of code, and what the compiler has to say about it.
struct Snippet: Sendable, CustomTestStringConvertible {
    /// The kinds of diagnostic a snippet may expect.
    enum Expected: Sendable {
        case error(String)
        case warning(String)
        case nothing
    }

    let testDescription: String
    let expected: Expected
    let source: String

    init(_ description: String, _ expected: Expected, _ source: String) {
        testDescription = description
        self.expected = expected
        self.source = source
    }

    /// What the compiler says about a source that can use the built modules, as a user of the package would.
    ///
    /// It compiles as far as SIL, as region isolation is only checked there.
    static func diagnostics(of source: String) throws -> Command {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let modules = try BuiltProducts.directory().appending(path: "Modules").path
        return try Command(
            "swiftc",
            ["-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library", "-I", modules, file.path])
    }

    /// What every snippet can use.
    static let prelude = """
        import Tidings
        struct Ping: TypedNotification { var number = 0 }
        final class Account: Sendable {}
        struct Changed: TypedNotification { let sender: Account }
        final class View { var isShown = false }
        struct Held: TypedNotification { let view: View }
        struct WillShow: MainActorNotification { let view: View }
        actor Store { var count = 0 }

        """
}
