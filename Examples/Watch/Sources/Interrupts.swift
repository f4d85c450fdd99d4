import Foundation
import TidingsFoundation

/// Turns the signals that ask a program to stop into notifications.
///
/// A signal handler may do next to nothing. This one writes the number of the signal into a pipe, which is read as any other.
@MainActor
final class Interrupts {
    /// It is there as long as the program: a handler may write at any time.
    private static let pipe = Pipe()
    private let center: any TypedNotificationCenter

    /// Posts every such signal from now on.
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
            // One byte of a local variable. Were the pipe full, there would be interrupts enough in it.
            _ = unsafe write(Int32(writeEnd.load(ordering: .acquiring)), &byte, 1)
        }
        // One that was ignored from the start, as `nohup` arranges it, stays so. Both are pointers to C functions, which are
        // only compared as numbers.
        if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(number, SIG_IGN)
        }
        // The parent process may have left the signal blocked, as threads that serve queues do. The set is a local variable.
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

/// Where the handler writes: outside of the class, as a handler cannot refer to an object.
private let writeEnd = Atomic(-1)

/// The program was sent a signal that asks it to stop.
struct Interrupted: MainActorNotification {
    let signal: Int32
}
