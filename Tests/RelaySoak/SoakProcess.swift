import Foundation
import Tidings

/// A process of the soak. The main thread starts it, because the system kills a process when the thread that started
/// the process ends.
final class SoakProcess {
    let name: String
    private let process = Process()
    private let input = Pipe()

    init(_ name: String, _ command: [String], folder: URL, environment: [String: String] = [:]) throws {
        self.name = name
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["setpriv", "--pdeathsig", "KILL"] + command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        let log = folder.appending(path: "\(name).log").path(percentEncoded: false)
        if !FileManager.default.fileExists(atPath: log) {
            _ = FileManager.default.createFile(atPath: log, contents: nil)
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: log))
        try handle.seekToEnd()
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        try handle.close()
    }

    var isRunning: Bool { process.isRunning }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    func kill9() {
        signal(SIGKILL)
        process.waitUntilExit()
    }

    func tell(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

    /// Asks the process to end, and returns whether it exited without an error within `limit` seconds. Otherwise, kills
    /// the process.
    func end(within limit: Double = 90) -> Bool {
        tell(SoakProgram.end)
        let deadline = SoakClock.now + limit
        while process.isRunning, SoakClock.now < deadline { Thread.sleep(forTimeInterval: 0.05) }
        guard process.isRunning else {
            process.waitUntilExit()
            return process.terminationReason == .exit && process.terminationStatus == 0
        }
        kill9()
        return false
    }
}

final class SoakCluster {
    private(set) var servers: [SoakProcess] = []
    private let commands: [[String]]
    private let folder: URL
    let addresses: [String]

    init(folder: URL) throws {
        let ports = try (0..<6).map { _ in try freePort() }
        let routes = ports.suffix(3).map { "nats-route://127.0.0.1:\($0)" }.joined(separator: ", ")
        commands = try (0..<3).map { index in
            let store = folder.appending(path: "store-\(index)").path(percentEncoded: false)
            let file = folder.appending(path: "s\(index).conf")
            try """
            server_name: s\(index)
            cluster { name: c, listen: "127.0.0.1:\(ports[3 + index])", routes: [\(routes)] }
            """.write(to: file, atomically: true, encoding: .utf8)
            return [
                "nats-server", "-js", "-a", "127.0.0.1", "-p", "\(ports[index])", "-sd", store, "-c",
                file.path(percentEncoded: false),
            ]
        }
        addresses = ports.prefix(3).map { "nats://127.0.0.1:\($0)" }
        self.folder = folder
        servers = try commands.indices.map(launch)
    }

    private func launch(_ index: Int) throws -> SoakProcess {
        try SoakProcess("s\(index)", commands[index], folder: folder)
    }

    func restart(_ index: Int) throws { servers[index] = try launch(index) }
}

/// All assigned ports. No port is assigned twice, because its server may be restarting, or may not be listening yet.
private let given = Lock<Set<Int>>([])

func freePort() throws -> Int {
    while true {
        let port = try unusedPort()
        if given.withLock({ $0.insert(port).inserted }) { return port }
    }
}

private func unusedPort() throws -> Int {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The address is a local variable of the given size.
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            let bound = unsafe bind(socket, pointer, size)
            return bound == 0 ? unsafe getsockname(socket, pointer, &size) : bound
        }
    }
    guard status == 0 else { throw CocoaError(.fileNoSuchFile) }
    return Int(UInt16(bigEndian: address.sin_port))
}
