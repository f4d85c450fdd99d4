import Foundation
import Testing

@Suite struct WatchTests {
    @Test func `lines are printed to the stream that the command wrote them to, and the exit status is the command's`()
        async throws
    {
        let run = try await WatchProgram("sh", "-c", "echo one; echo two; echo wrong >&2; exit 7").run()
        #expect(run.text == "one\ntwo\n")
        #expect(run.errors.hasPrefix("wrong\n"))
        #expect(run.status == 7)
        #expect(run.told.first == "sh: exited with status 7")
        #expect(run.told.contains("output 2 lines, 8 bytes; errors 1 line, 6 bytes"))
    }

    @Test func `the summary counts three posts for two lines and the end`() async throws {
        let run = try await WatchProgram("printf", #"a\nb\n"#).run()
        #expect(run.told.contains { $0.hasPrefix("3 posts, ") })
    }

    @Test func `a huge output arrives completely and in order before the exit is reported`() async throws {
        let run = try await WatchProgram("seq", "1", "200000").run()
        #expect(run.text == (1...200_000).map { "\($0)\n" }.joined())
        #expect(run.told.first == "seq: exited with status 0")
        #expect(run.told.contains("output 200000 lines, 1288895 bytes; errors 0 lines, 0 bytes"))
        #expect(run.status == 0)
    }

    @Test func `a command that doesn't exist is reported, with the exit status that shells use`() async throws {
        let run = try await WatchProgram("no-such-command").run()
        #expect(run.told == ["no-such-command: command not found"])
        #expect(run.status == 127)
    }

    @Test func `a file that can't be executed is reported, with the exit status that shells use`() async throws {
        let run = try await WatchProgram("/").run()
        #expect(run.told == ["/: cannot be run: it is a folder"])
        #expect(run.status == 126)
    }

    @Test func `a signal that kills the command is reported, and is in the exit status`() async throws {
        let run = try await WatchProgram("sh", "-c", "echo before; kill -KILL $$").run()
        #expect(run.text == "before\n")
        #expect(run.told.first == "sh: ended by signal 9 (Killed)")
        #expect(run.status == 137)
    }

    @Test func `output that isn't UTF-8 is shown with replacement characters, and reported`() async throws {
        let run = try await WatchProgram("printf", #"good\nb\377d\nb\376d\n"#).run()
        #expect(run.text == "good\nb\u{FFFD}d\nb\u{FFFD}d\n")
        #expect(run.told.contains("output: 2 lines are not UTF-8, the first is line 2"))
        #expect(run.status == 0)
    }

    @Test func `a last line without a newline is passed on unchanged, and reported`() async throws {
        let run = try await WatchProgram("sh", "-c", "printf 'one\nlast'; printf 'cut' >&2").run()
        #expect(run.text == "one\nlast")
        #expect(run.told.contains("output: the last line has no newline"))
        #expect(run.told.contains("errors: the last line has no newline"))
    }

    @Test func `a command without output is summarized`() async throws {
        let run = try await WatchProgram("true").run()
        #expect(run.output.isEmpty)
        #expect(run.told.contains("output 0 lines, 0 bytes; errors 0 lines, 0 bytes"))
        #expect(run.status == 0)
    }

    @Test func `a character that arrives in two parts is joined`() async throws {
        let run = try await WatchProgram("sh", "-c", #"printf 'gr\303' ; printf '\274n\n'"#).run()
        #expect(run.text == "grün\n")
        #expect(run.told.contains("output 1 line, 6 bytes; errors 0 lines, 0 bytes"))
    }

    @Test func `a command reads the standard input of watch`() async throws {
        let input = Pipe()
        let run = try await WatchProgram("cat", reading: input).run { _ in
            try input.fileHandleForWriting.write(contentsOf: Data("for the command\n".utf8))
            try input.fileHandleForWriting.close()
        }
        #expect(run.text == "for the command\n")
    }

    @Test func `without arguments, watch reads standard input`() async throws {
        let input = Pipe()
        let run = try await WatchProgram(reading: input).run { _ in
            try input.fileHandleForWriting.write(contentsOf: Data("first\nsecond".utf8))
            try input.fileHandleForWriting.close()
        }
        #expect(run.text == "first\nsecond")
        #expect(run.told.first == "standard input: ended")
        #expect(run.told.contains("output 2 lines, 12 bytes; errors 0 lines, 0 bytes"))
        #expect(run.status == 0)
    }

    @Test func `an unreadable input is reported`() async throws {
        let folder = try FileHandle(forReadingFrom: URL(filePath: "/"))
        let run = try await WatchProgram(reading: folder).run()
        #expect(run.told == ["standard input: Is a directory"])
        #expect(run.status == 1)
    }

    @Test func `a closed standard input counts as empty`() async throws {
        let run = try await WatchProgram(script: #""$0" <&-"#).run()
        #expect(run.text == "")
        #expect(run.errors.contains("watch: standard input: ended\n"))
        #expect(run.status == 0)
    }

    @Test func `the program ends with SIGPIPE, like other programs, if nothing reads its output`() async throws {
        let script = #"("$0" seq 1 1000000; echo "status $?" >&2) | head -n 1"#
        let run = try await WatchProgram(script: script).run()
        #expect(run.text == "1\n")
        #expect(run.errors.contains("status 141\n"))
    }

    @Test func `help is printed`() async throws {
        let run = try await WatchProgram("--help").run()
        #expect(run.text.contains("Usage: watch"))
        #expect(run.status == 0)
    }

    @Test func `an unknown option is reported`() async throws {
        let run = try await WatchProgram("--loud", "ls").run()
        #expect(run.told == ["unknown option --loud; see watch --help"])
        #expect(run.status == 2)
    }
}
