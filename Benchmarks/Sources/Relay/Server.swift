import Foundation

/// A server of NATS with JetStream, on a port and in a folder of its own, which ends with this.
final class Server {
    let address: String
    private let process: Process?
    private let folder: URL?

    /// Uses a server that is there.
    init(at address: String) {
        self.address = address
        process = nil
        folder = nil
    }

    /// Starts one, and returns when it takes connections.
    init() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "relay-benchmark-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let path = folder.path(percentEncoded: false)
        process.arguments = [
            "nats-server", "-js", "-a", "127.0.0.1", "-p", "-1", "-sd", path, "--ports_file_dir", path,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        self.folder = folder
        // The server writes its ports into a file when it listens.
        while process.isRunning {
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            if let file = files.first(where: { $0.pathExtension == "ports" }),
                let ports = try? JSONDecoder().decode(Ports.self, from: Data(contentsOf: file)),
                let first = ports.nats.first
            {
                address = first
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure(description: "nats-server has ended")
    }

    deinit {
        if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private struct Ports: Decodable { let nats: [String] }
}

/// Something without which nothing can be measured.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
