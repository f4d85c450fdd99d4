// A program that observes the notification types of the catalogue, runs the main thread's run loop, and prints the
// notifications that Foundation posts.

import Foundation
import TidingsFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Glibc)
    import Glibc
#endif

let center = NotificationCenter.default
let seen = Log()
var tokens: [NotificationToken] = []

final class Log: Sendable {
    private let lines = Lock<[String]>([])

    func append(_ line: String) { lines.withLock { $0.append(line) } }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

/// Prints the notifications that arrive up to the line `last`, or up to the first line.
@MainActor
func tell(_ what: String, until last: String? = nil) {
    var lines = seen.take()
    while last.map({ !lines.contains($0) }) ?? lines.isEmpty {
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
        lines += seen.take()
    }
    print("\(what): \(lines.joined(separator: ", "))")
}

// MARK: File handles

func makeListener() -> (FileHandle, sockaddr_in) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian  // 127.0.0.1
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // C functions take any socket address as a `sockaddr` and a length, and a `sockaddr_in` is a socket address.
    _ = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe bind(listener, address, length) + listen(listener, 1) + getsockname(listener, address, &length)
        }
    }
    return (FileHandle(fileDescriptor: listener, closeOnDealloc: true), address)
}

func connect(to address: sockaddr_in) -> FileHandle {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // A `sockaddr_in` can be passed as a `sockaddr`, as in `makeListener`.
    _ = unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe Glibc.connect(connection, address, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return FileHandle(fileDescriptor: connection, closeOnDealloc: true)
}

func text(_ data: Data?) -> String { data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }

let pipe = Pipe()
let reader = pipe.fileHandleForReading
let directory = FileHandle(forReadingAtPath: "/") ?? .nullDevice
let (listener, address) = makeListener()

center.addObserver(for: FileHandle.ReadCompleted.self, sender: reader) { seen.append(text($0.data)) }.store(in: &tokens)
center.addObserver(for: FileHandle.ReadCompleted.self, sender: directory) { note in
    seen.append("\(text(note.data)), error \(note.error ?? 0)")
}
.store(in: &tokens)
center.addObserver(for: FileHandle.ReadToEndOfFile.self, sender: reader) { seen.append(text($0.data)) }
    .store(in: &tokens)
center.addObserver(for: FileHandle.DataAvailable.self, sender: reader) { note in
    seen.append(note.sender === reader ? "the sender" : "another one")
}
.store(in: &tokens)
center.addObserver(for: FileHandle.ConnectionAccepted.self, sender: listener) { note in
    seen.append("\(note.connection == nil ? "no connection" : "a connection"), error \(note.error ?? 0)")
}
.store(in: &tokens)

reader.waitForDataInBackgroundAndNotify()
pipe.fileHandleForWriting.write(Data("one".utf8))
tell("data available")
reader.readInBackgroundAndNotify()
tell("read")
directory.readInBackgroundAndNotify()
tell("read a directory")
listener.acceptConnectionInBackgroundAndNotify()
let connection = connect(to: address)
tell("accept")
pipe.fileHandleForWriting.write(Data("two".utf8))
try pipe.fileHandleForWriting.close()
reader.readToEndOfFileInBackgroundAndNotify()
tell("read to the end")

// MARK: Other notifications

/// Observes all notifications, whatever their name.
let everything = center.addObserver(forName: nil, object: nil, queue: nil) { seen.append($0.name.rawValue) }

let process = Process()
process.executableURL = URL(fileURLWithPath: "/bin/true")
try process.run()
process.waitUntilExit()

UserDefaults.standard.set(1, forKey: "tidings.probe")
UserDefaults.standard.removeObject(forKey: "tidings.probe")
NSTimeZone.resetSystemTimeZone()
NSTimeZone.default = NSTimeZone.local
_ = Bundle.main.load()

let hasRun = DispatchSemaphore(value: 0)
Thread.detachNewThread { hasRun.signal() }
hasRun.wait()

let cookies = HTTPCookieStorage.shared
let properties: [HTTPCookiePropertyKey: Any] = [.name: "a", .value: "b", .domain: "example.org", .path: "/"]
if let cookie = HTTPCookie(properties: properties) {
    cookies.setCookie(cookie)
    cookies.deleteCookie(cookie)
}
let policy = cookies.cookieAcceptPolicy
cookies.cookieAcceptPolicy = .never
cookies.cookieAcceptPolicy = policy

// When the notification of this pipe arrives, all notifications posted earlier through the run loop have arrived.
let last = Pipe()
last.fileHandleForReading.waitForDataInBackgroundAndNotify()
last.fileHandleForWriting.write(Data("x".utf8))
tell(
    "a process, defaults, a time zone, a bundle, a thread, cookies, and data available",
    until: FileHandle.DataAvailable.name)
withExtendedLifetime((connection, everything)) {}
