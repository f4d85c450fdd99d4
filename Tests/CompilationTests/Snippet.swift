import Foundation
import Testing

/// A piece of code that must not compile, or must compile with a warning, and the diagnostic it must produce.
///
/// The source contains one or more places of the form `«wrong|right»`. With the right alternatives, the source compiles
/// without a diagnostic, which proves that the wrong alternatives cause the diagnostic.
struct Snippet: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable {
        case error(String)
        case warning(String)
    }

    let testDescription: String
    let expected: Expected
    /// Compiler options, such as those of the module that the snippet imitates.
    let options: [String]
    private let source: String

    init(_ description: String, _ expected: Expected, options: [String] = [], _ source: String) {
        testDescription = description
        self.expected = expected
        self.options = options
        self.source = source
    }

    var wrong: String { Snippet.prelude + choosing { wrong, _ in wrong } }

    var right: String { Snippet.prelude + choosing { _, right in right } }

    private func choosing(_ choose: (Substring, Substring) -> Substring) -> String {
        source.replacing(/«(?<wrong>[^«|»]*)\|(?<right>[^«|»]*)»/) { choose($0.output.wrong, $0.output.right) }
    }

    /// Compiles source code that can import the built modules, as a user's code would, and returns the diagnostics.
    ///
    /// The compiler generates SIL, because it checks region isolation only in SIL.
    static func compile(
        _ source: String, options: [String] = []
    ) throws -> (command: Command, diagnostics: [Substring]) {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let command = try Command(
            "swiftc",
            ["-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library"]
                + BuiltProducts.importOptions() + options + [file.path])
        let diagnostics = command.output.split(separator: "\n").filter {
            $0.hasPrefix("/") && ($0.contains(": error: ") || $0.contains(": warning: "))
        }
        return (command, diagnostics)
    }

    static let prelude = """
        import Foundation
        import TidingsFoundation
        struct Ping: TypedNotification { var number = 0 }
        final class Account: Sendable {}
        struct Changed: TypedNotification { let sender: Account }
        final class View { var isShown = false }
        struct Held: TypedNotification { let view: View }
        struct WillShow: MainActorNotification { let view: View }
        struct Shown: MainActorNotification {}
        struct Selected: MainActorNotification { let sender: Account }
        actor Store { var count = 0 }
        @MainActor final class Model { var count = 0 }
        enum Message: Sendable { case opened }
        enum OtherMessage: Sendable { case closed }

        """
}

struct Accepted: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let options: [String]
    let source: String

    init(_ description: String, options: [String] = [], _ source: String) {
        testDescription = description
        self.options = options
        self.source = source
    }
}
