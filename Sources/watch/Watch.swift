import Foundation
import TidingsFoundation

/// Runs a command, or reads standard input, and turns what happens into typed notifications.
@main
enum Watch {
    static func main() {
        Terminal.openClosedStreams()
        Task { @MainActor in exit(await run(Arguments(Array(CommandLine.arguments.dropFirst())))) }
        // Foundation posts what it read from a file handle on the main thread, from its run loop.
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    /// Does what the arguments ask for, and returns the exit status.
    @MainActor
    private static func run(_ arguments: Arguments) async -> Int32 {
        do {
            switch arguments {
            case .help:
                print(Arguments.explanation)
                return 0
            case .unknown(let option):
                Terminal.tell("there is no option \(option); see watch --help")
                return 2
            case .standardInput:
                return try await Session(StandardInput()).run()
            case .command(let command, let arguments):
                return try await Session(ChildProcess(command, arguments: arguments)).run()
            }
        } catch {
            Terminal.tell("\(error)")
            return (error as? Failure)?.exitStatus ?? 1
        }
    }
}
