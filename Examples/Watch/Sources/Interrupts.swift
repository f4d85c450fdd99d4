import Foundation
import TidingsFoundation

/// Turns the signals that ask a program to stop into notifications.
///
/// A signal handler may do almost nothing. This handler writes the number of the signal to a pipe, which is read like
/// any other pipe.
@MainActor
final class Interrupts {
    /// The pipe lives as long as the program, because a handler can write at any time.
    private static let pipe = Pipe()
    private let center: any TypedNotificationCenter

    init(postingTo center: any TypedNotificationCenter) {
        self.center = center
        NotificationCenter.default.addObserver(
            self, descriptor: FileHandleRead(), object: Self.pipe.fileHandleForReading
        ) { me, read in
            me.post(read.bytes)
        }
        Self.pipe.fileHandleForReading.readInBackgroundAndNotify()

        writeEnd.store(Int(Self.pipe.fileHandleForWriting.fileDescriptor), ordering: .releasing)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { Self.handle(number) }
    }

    private static func handle(_ number: Int32) {
        let previous = signal(number) { number in
            var byte = UInt8(truncatingIfNeeded: number)
            // The handler writes one byte of a local variable. A full pipe would already contain enough interrupts.
            _ = unsafe write(Int32(writeEnd.load(ordering: .acquiring)), &byte, 1)
        }
        // A signal that was ignored from the start, as with `nohup`, stays ignored. Both values are pointers to C
        // functions, which are only compared as numbers.
        if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(number, SIG_IGN)
        }
        // The signal may be blocked in this thread, because the parent process blocked it, or because the thread serves
        // a queue. The set is a local variable.
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private func post(_ numbers: [UInt8]) {
        for number in numbers { center.post(Interrupted(signal: Int32(number))) }
        Self.pipe.fileHandleForReading.readInBackgroundAndNotify()
    }
}

/// The descriptor to which the handler writes. It is outside the class, because a handler can't refer to an object.
private let writeEnd = Atomic(-1)

struct Interrupted: MainActorNotification {
    let signal: Int32
}
