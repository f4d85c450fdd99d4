import Foundation
import TestSupport
import Tidings
import TidingsRelay
import TidingsTesting

@testable import RelaySoak

final class ServerProcess: Sendable {
    let port: Int
    private let folder: URL
    private let arguments: [String]
    private let process = Lock<Process?>(nil)
    /// The pipes with the server's log. Each is read until it ends.
    private let logs = Lock<[Pipe]>([])

    var store: String { folder.path(percentEncoded: false) }

    var address: String { "nats://127.0.0.1:\(port)" }

    private let keys: KeyFolder?

    /// The configuration for programs that connect to the server.
    var way: NATSServer {
        guard let keys else { return NATSServer(address) }
        var way = NATSServer("tls://localhost:\(port)")
        way.encryption = NATSServer.Encryption()
        way.encryption?.authorities = keys.path("server.crt")
        return way
    }

    /// The configuration for a program in a separate process: the address and, if connections are encrypted, `#` and
    /// the path of the trusted certificates.
    var probeAddress: String {
        keys.map { "tls://localhost:\(port)#\($0.path("server.crt"))" } ?? address
    }

    /// Creates a server process. In `configuration`, `$DIR` stands for the server's folder.
    convenience init(_ arguments: [String] = ["-js"], configuration: String? = nil, isEncrypted: Bool = false) throws {
        try self.init(arguments, configuration: configuration, keys: isEncrypted ? .ofServers() : nil)
    }

    /// Creates a server process with the keys that a cluster shares. Without keys, connections aren't encrypted.
    init(_ arguments: [String], configuration: String?, keys: KeyFolder?) throws {
        self.keys = keys
        port = try freePort()
        folder = FileManager.default.temporaryDirectory.appending(path: "relay-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var all = arguments + ["-a", "127.0.0.1", "-p", "\(port)"]
        // The server doesn't start if both the arguments and the configuration set its folder. If the arguments set it,
        // the server can't reload its configuration.
        if configuration?.contains("store_dir") != true { all += ["-sd", folder.path(percentEncoded: false)] }
        if let configuration {
            let file = folder.appending(path: "server.conf")
            try configuration.replacing("$DIR", with: folder.path(percentEncoded: false))
                .write(to: file, atomically: true, encoding: .utf8)
            all += ["-c", file.path(percentEncoded: false)]
        }
        if let keys { all += ["--tls", "--tlscert", keys.path("server.crt"), "--tlskey", keys.path("server.key")] }
        self.arguments = all
    }

    deinit {
        if let running = process.withLock({ $0 }) {
            kill(running.processIdentifier, SIGKILL)
            // Foundation's `Process` retains itself until a thread has waited for the end of the process. A separate
            // thread waits, because the current thread may belong to a task.
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                running.waitUntilExit()
                ended.signal()
            }
            ended.wait()
        }
        for pipe in logs.withLock({ $0 }) { pipe.fileHandleForReading.readabilityHandler = nil }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns when the server accepts connections.
    func start() async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["nats-server"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let pipe = Pipe()
        logs.withLock { $0.append(pipe) }
        process.standardError = pipe
        let isReady = Gate()
        let text = Lock("")
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                return isReady.open()
            }
            let all = text.withLock { text in
                text += String(decoding: data, as: UTF8.self)
                return text
            }
            if all.contains("Server is ready") { isReady.open() }
        }
        try process.run()
        self.process.withLock { $0 = process }
        await isReady.wait()
        guard process.isRunning, text.withLock({ $0.contains("Server is ready") }) else {
            throw Failure(description: "nats-server has ended: \(text.withLock { $0 })")
        }
    }

    /// Sends a signal to the server. After `SIGSTOP`, the method waits until the server has stopped, because the server
    /// answers requests until then.
    func signal(_ number: Int32) {
        guard let process = process.withLock({ $0 }) else { return }
        kill(process.processIdentifier, number)
        if number != SIGSTOP { return }
        // `waitid` writes its result here. The result isn't used.
        var state = unsafe siginfo_t()
        // `state` is valid during the call. `WNOWAIT` leaves the process to the thread that waits for the end of the
        // process.
        _ = unsafe waitid(P_PID, id_t(process.processIdentifier), &state, WSTOPPED | WNOWAIT)
    }

    /// Returns when the server has ended.
    func kill9() async {
        guard let process = process.withLock({ $0.take() }) else { return }
        kill(process.processIdentifier, SIGKILL)
        await onOwnThread { process.waitUntilExit() }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
