import Foundation
import TidingsFoundation

#if NATS
    import TidingsRelay
#endif

/// Runs a command, or reads standard input, and turns events into typed notifications.
@main
enum Watch {
    static func main() {
        Terminal.openClosedStreams()
        Task { @MainActor in exit(await run(Arguments(Array(CommandLine.arguments.dropFirst())))) }
        // The main thread's run loop posts the data that Foundation has read from file handles.
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    /// Executes the arguments, and returns the exit status.
    @MainActor
    private static func run(_ arguments: Arguments) async -> Int32 {
        do {
            switch arguments {
            case .help:
                print(Arguments.explanation)
                return 0
            case .unknown(let option):
                Terminal.tell("unknown option \(option); see watch --help")
                return 2
            case .incomplete(let option):
                let stream = option == "--redrive" ? ", and a stream" : ""
                Terminal.tell(
                    "\(option) needs the address of a server, nats://HOST:PORT\(stream); see watch --help")
                return 2
            case .noNumber(let word):
                Terminal.tell("\(word) isn't the number of a dead letter; see watch --help")
                return 2
            case .standardInput:
                return try await Session(StandardInput()).run()
            case .command(let command, let arguments):
                return try await Session(ChildProcess(command, arguments: arguments)).run()
            case .inspected(let arguments):
                return try await inspect(arguments)
            case .relayed(let arguments, let address):
                return try await relay(arguments, to: address)
            case .listen(let address):
                return try await listen(to: address)
            case .redrive(let address, let stream, let numbers):
                return try await redrive(address, stream, numbers)
            }
        } catch {
            Terminal.tell("\(error)")
            return (error as? Failure)?.exitStatus ?? 1
        }
    }
}

#if NATS
    extension Watch {
        @MainActor
        private static func relay(_ arguments: Arguments, to address: String) async throws -> Int32 {
            guard let source = try arguments.source else { return await run(arguments) }
            return try await Session(source, relay: LineRelay(.outgoing, address)).run()
        }

        @MainActor
        private static func listen(to address: String) async throws -> Int32 { try await Listening(address).run() }

        private static func redrive(_ address: String, _ stream: String, _ numbers: Set<UInt64>) async throws -> Int32 {
            try await Redriving(address).run(stream, numbers)
        }
    }
#else
    extension Watch {
        private static func relay(_ arguments: Arguments, to address: String) async throws -> Int32 { withoutNATS() }
        private static func listen(to address: String) async throws -> Int32 { withoutNATS() }

        private static func redrive(_ address: String, _ stream: String, _ numbers: Set<UInt64>) async throws -> Int32 {
            withoutNATS()
        }

        private static func withoutNATS() -> Int32 {
            Terminal.tell("this watch was built without NATS; build it with 'swift build --traits NATS'")
            return 2
        }
    }
#endif

#if InspectorServer
    extension Watch {
        @MainActor
        private static func inspect(_ arguments: Arguments) async throws -> Int32 {
            guard let source = try arguments.source else { return await run(arguments) }
            let session = Session(source)
            try await session.inspect()
            return try await session.run()
        }
    }
#else
    extension Watch {
        private static func inspect(_ arguments: Arguments) async throws -> Int32 {
            Terminal.tell(
                "this watch was built without its inspector; build it with 'swift build --traits InspectorServer'")
            return 2
        }
    }
#endif

/// The actions that the command line can request.
enum Arguments: Equatable {
    /// Prints an explanation of the program.
    case help
    /// Reads standard input.
    case standardInput
    /// Runs a command.
    case command(String, arguments: [String])
    /// Performs the given action and relays its lines to a server.
    indirect case relayed(Arguments, to: String)
    /// Performs the given action and shows the program's events in a browser.
    indirect case inspected(Arguments)
    /// Prints the lines that others relay to a server.
    case listen(to: String)
    /// Redrives the dead letters of a stream: those with the given numbers, or all if the set is empty.
    case redrive(to: String, stream: String, numbers: Set<UInt64>)
    /// An option whose value is missing.
    case incomplete(option: String)
    /// A word that isn't a number, in place of the number of a dead letter.
    case noNumber(String)
    /// An unknown option.
    case unknown(option: String)

    init(_ arguments: [String]) {
        switch arguments.first {
        case nil: self = .standardInput
        case "--help", "-h": self = .help
        case "--": self.init(command: arguments.dropFirst())
        case let option? where option == "--relay" || option == "--listen":
            guard arguments.count > 1 else {
                self = .incomplete(option: option)
                return
            }
            self =
                option == "--listen"
                ? .listen(to: arguments[1]) : .relayed(Arguments(Array(arguments.dropFirst(2))), to: arguments[1])
        case "--redrive":
            guard arguments.count > 2 else {
                self = .incomplete(option: "--redrive")
                return
            }
            let words = arguments.dropFirst(3)
            if let word = words.first(where: { UInt64($0) == nil }) {
                self = .noNumber(word)
                return
            }
            self = .redrive(to: arguments[1], stream: arguments[2], numbers: Set(words.compactMap { UInt64($0) }))
        case "--inspect": self = .inspected(Arguments(Array(arguments.dropFirst())))
        case let option? where option.hasPrefix("-"): self = .unknown(option: option)
        default: self.init(command: arguments[...])
        }
    }

    private init(command: ArraySlice<String>) {
        guard let name = command.first else {
            self = .standardInput
            return
        }
        self = .command(name, arguments: Array(command.dropFirst()))
    }

    /// The source to watch, or `nil` for another action.
    @MainActor
    var source: (any LineSource)? {
        get throws {
            switch self {
            case .standardInput: StandardInput()
            case .command(let command, let arguments): try ChildProcess(command, arguments: arguments)
            default: nil
            }
        }
    }

    /// The text of `--help`.
    static let explanation = """
        Runs a command and turns its lines of output, its lines of errors and its exit into typed notifications.

        Usage: watch [--] COMMAND [ARGUMENT ...]
               watch                               reads standard input instead
               watch --relay ADDRESS [COMMAND …]   also relays the lines through a NATS server
               watch --inspect [COMMAND …]         also serves an inspector for a browser; its address goes to standard error
               watch --listen ADDRESS              prints the lines that others relay, until it is interrupted
               watch --redrive ADDRESS STREAM [NUMBER …]
                                                   redrives the dead letters of a stream: all, or those with the given numbers

        The lines are printed as they arrive: output to standard output, errors to standard error.
        At the end, a summary goes to standard error: the ending, lines, bytes, the longest silence, and posts.

        ADDRESS is nats://HOST:PORT, the address of a server with JetStream.
        --relay, --listen and --redrive require a build with the trait NATS.

        --inspect requires a build with the trait InspectorServer.

        The command reads watch's standard input, or nothing if that is a terminal.
        An interrupt (SIGINT, SIGTERM, SIGHUP, SIGQUIT) is passed on to the command; a second one ends watch itself.

        Exit status: the command's; 128 plus the number of the signal if a signal killed the command; 127 if there is no
        such command; 126 if it cannot be run; 2 for an unknown, incomplete or invalid option.
        """
}
