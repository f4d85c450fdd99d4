import Foundation
import Testing

/// Tests of signals to the program. The commands send the signals: `$PPID` is the program's process identifier.
@Suite struct InterruptTests {
    @Test func `an interrupt is passed on to the command, which can handle the interrupt`() async throws {
        let script = "trap 'echo caught; exit 5' INT; kill -INT $PPID; while :; do :; done"
        let run = try await WatchProgram("sh", "-c", script).run()
        #expect(run.text == "caught\n")
        #expect(run.told.first == "sh: exited with status 5")
        #expect(run.status == 5)
    }

    @Test func `a command that doesn't handle a signal is reported as killed by it`() async throws {
        let run = try await WatchProgram("sh", "-c", "kill -TERM $PPID; while :; do :; done").run()
        #expect(run.told.first == "sh: ended by signal 15 (Terminated)")
        #expect(run.status == 143)
    }

    @Test func `a second interrupt ends watching if the command continues`() async throws {
        let script = "trap '' INT; while kill -INT $PPID; do :; done"
        let run = try await WatchProgram("sh", "-c", script).run()
        #expect(run.told.first == "sh: ended by signal 2 (Interrupt)")
        #expect(run.status == 130)
    }

    @Test func `a signal that was ignored from the start stays ignored`() async throws {
        let script = #"trap '' HUP; exec "$0" sh -c 'kill -HUP $PPID; echo on'"#
        let run = try await WatchProgram(script: script).run()
        #expect(run.text == "on\n")
        #expect(run.status == 0)
    }

    @Test func `an interrupt ends the reading of standard input, and everything that was read is reported`()
        async throws
    {
        // The process that reads the first line interrupts the whole process group. The input stays open until the
        // program has ended.
        let script = """
            trap : INT
            (trap : INT; "$0"; echo "status $?" >&2) | (trap '' INT; read line; echo "$line"; kill -INT 0; cat)
            """
        let input = Pipe()
        let run = try await WatchProgram(script: script, reading: input).run { _ in
            try input.fileHandleForWriting.write(contentsOf: Data("one\ntwo".utf8))
        }
        #expect(run.text == "one\ntwo")
        #expect(run.told.first == "standard input: ended by signal 2 (Interrupt)")
        #expect(run.errors.hasSuffix("status 130\n"))
        try input.fileHandleForWriting.close()
    }
}
