import Testing

@testable import watch

@Suite struct ArgumentsTests {
    @Test func `the first word is the command, and everything after it belongs to the command`() {
        #expect(Arguments(["git", "--version"]) == .command("git", arguments: ["--version"]))
        #expect(Arguments(["--", "-odd", "--help"]) == .command("-odd", arguments: ["--help"]))
    }

    @Test func `without a command, the source is standard input`() {
        #expect(Arguments([]) == .standardInput)
        #expect(Arguments(["--"]) == .standardInput)
    }

    @Test func `options come before the command`() {
        #expect(Arguments(["--help", "git"]) == .help)
        #expect(Arguments(["-h"]) == .help)
        #expect(Arguments(["-v", "git"]) == .unknown(option: "-v"))
        #expect(Arguments(["--redrive", "nats://h", "S"]) == .redrive(to: "nats://h", stream: "S", numbers: []))
        #expect(
            Arguments(["--redrive", "nats://h", "S", "3", "7"])
                == .redrive(to: "nats://h", stream: "S", numbers: [3, 7]))
        for rest in [[], ["nats://h"]] {
            #expect(Arguments(["--redrive"] + rest) == .incomplete(option: "--redrive"))
        }
        #expect(Arguments(["--inspect", "git", "-v"]) == .inspected(.command("git", arguments: ["-v"])))
    }

    @Test func `the option --redrive rejects a word that isn't the number of a dead letter`() {
        #expect(Arguments(["--redrive", "nats://h", "S", "3", "x"]) == .noNumber("x"))
        #expect(Arguments(["--redrive", "nats://h", "S", "-1"]) == .noNumber("-1"))
    }
}
