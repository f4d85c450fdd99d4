#if os(Linux)
    import Foundation
    import Glibc
    import Testing

    /// Tests of notifications that the system itself posts. On Linux they arrive through the main thread's run loop,
    /// which doesn't run in a test, so a separate program observes them.
    @Suite(.timeLimit(.minutes(2))) struct RunLoopTests {
        @Test func `a program's run loop delivers Foundation's notifications, even to main-actor observers`() throws {
            let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            // The test doesn't use `Process`, which leaks. The stream is valid until it is closed below.
            guard let stream = unsafe popen("'\(products.path)/RunLoopProbe'", "r") else {
                throw CocoaError(.fileNoSuchFile)
            }
            let output = FileHandle(fileDescriptor: unsafe fileno(stream), closeOnDealloc: false)
            let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
            let status = unsafe pclose(stream)
            #expect(status == 0)
            #expect(
                text == """
                    keyboard, in the post: 0.25
                    reported: UIKeyboardWillShowNotification: was posted off the main actor
                    keyboard, posted by a thread: \n\
                    keyboard, later: 0.25
                    file handle: one
                    file handle: two
                    file handle, to the end: three

                    """)
        }
    }
#endif
