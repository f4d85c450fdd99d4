import Testing

@testable import watch

@Suite struct ArgumentsTests {
    @Test func `the first word is the command, and everything after it is the command's`() {
        #expect(Arguments(["git", "--version"]) == .command("git", arguments: ["--version"]))
        #expect(Arguments(["--", "-odd", "--help"]) == .command("-odd", arguments: ["--help"]))
    }

    @Test func `without a command it is standard input`() {
        #expect(Arguments([]) == .standardInput)
        #expect(Arguments(["--"]) == .standardInput)
    }

    @Test func `options come before the command`() {
        #expect(Arguments(["--help", "git"]) == .help)
        #expect(Arguments(["-h"]) == .help)
        #expect(Arguments(["-v", "git"]) == .unknown(option: "-v"))
        #expect(Arguments(["--inspect", "git", "-v"]) == .inspected(.command("git", arguments: ["-v"])))
    }
}
