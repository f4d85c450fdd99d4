#if os(Linux)
    import Foundation
    import Testing

    /// Article 002's system notifications, from the system itself. On Linux they come by the main thread's run loop, which
    /// does not run in a test, so a program of its own observes them.
    @Suite struct RunLoopTests {
        @Test func `real notifications and main-actor ones, in a program with a run loop`() throws {
            let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            let process = Process()
            let output = Pipe()
            process.executableURL = products.appending(path: "RunLoopProbe")
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(
                text == """
                    keyboard, in the post: 0.25
                    reported: UIKeyboardWillShowNotification: was posted off the main actor
                    keyboard, posted by a thread: \n\
                    keyboard, later: 0.25
                    file handle: one
                    file handle: two
                    child process: threefour

                    """)
        }
    }
#endif
