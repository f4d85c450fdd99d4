import Foundation
import TidingsRelay

/// A NATS server with JetStream, on its own port and in its own folder. It stops when this object is deallocated.
final class Server {
    /// The server's address and credentials.
    let way: NATSServer
    private let process: Process?
    private let folder: URL?

    init(at address: String) {
        way = NATSServer(address)
        process = nil
        folder = nil
    }

    /// Starts a server, and returns when it accepts connections. If `isEncrypted` is true, `openssl` creates a
    /// certificate for the server.
    init(isEncrypted: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "relay-benchmark-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path(percentEncoded: false)
        let (certificate, key) = ("\(path)server.crt", "\(path)server.key")
        var arguments = ["nats-server", "-js", "-a", "127.0.0.1", "-p", "-1", "-sd", path, "--ports_file_dir", path]
        if isEncrypted {
            let made = try Self.run([
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
            ])
            made.waitUntilExit()
            arguments += ["--tls", "--tlscert", certificate, "--tlskey", key]
        }
        let process = try Self.run(arguments)
        self.process = process
        self.folder = folder
        // The server writes its ports to a file when it is listening.
        while process.isRunning {
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            if let file = files.first(where: { $0.pathExtension == "ports" }),
                let ports = try? JSONDecoder().decode(Ports.self, from: Data(contentsOf: file)),
                let first = (ports.nats ?? ports.tls)?.first
            {
                var way = NATSServer(first)
                if isEncrypted {
                    // The server's certificate is for this host name.
                    way = NATSServer("tls://localhost:\(first.split(separator: ":").last ?? "")")
                    way.encryption = NATSServer.Encryption()
                    way.encryption?.authorities = certificate
                }
                self.way = way
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure(description: "nats-server ended before it accepted connections")
    }

    deinit {
        if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private static func run(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private struct Ports: Decodable {
        let nats: [String]?
        let tls: [String]?
    }
}

/// An error that ends the measurement, with its reason.
struct Failure: Error, CustomStringConvertible {
    let description: String
}
