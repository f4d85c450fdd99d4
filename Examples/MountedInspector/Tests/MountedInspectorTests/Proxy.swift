import Foundation

/// An nginx with the package's own configuration. Only the listening address, the upstream server, the certificate and
/// the access log differ.
struct Proxy {
    static let isInstalled = [nginx, openssl, curl].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    private static let nginx = "/usr/sbin/nginx"
    private static let openssl = "/usr/bin/openssl"
    private static let curl = "/usr/bin/curl"

    private let folder: URL
    private let server = Process()

    private var socket: String { folder.appending(path: "https").path }
    private var certificate: String { folder.appending(path: "certificate.pem").path }

    /// Starts nginx in front of a server, and returns when it is listening.
    init(to port: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "proxy-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = folder.appending(path: "key.pem").path
        _ = try Self.output(
            Self.openssl,
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", certificate,
                "-subj", "/CN=shop.example", "-addext", "subjectAltName=DNS:shop.example",
            ])
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var text = try String(contentsOf: package.appending(path: "nginx.conf"), encoding: .utf8)
        for (old, new) in [
            ("listen 443 ssl", "listen unix:\(socket) ssl"), ("/etc/ssl/shop.example.pem", certificate),
            ("/etc/ssl/shop.example.key", key), ("127.0.0.1:8080", "127.0.0.1:\(port)"),
            ("http {", "http {\n    access_log off;"),
        ] {
            guard text.contains(old) else { throw Failure("the configuration has no \(old)") }
            text.replace(old, with: new)
        }
        let configuration = folder.appending(path: "nginx.conf")
        try Data(text.utf8).write(to: configuration)
        server.executableURL = URL(filePath: Self.nginx)
        server.arguments = [
            "-c", configuration.path, "-e", folder.appending(path: "errors").path,
            "-g", "daemon off; pid \(folder.appending(path: "pid").path);",
        ]
        try server.run()
        // nginx writes the file `pid` when it is listening. If nginx can't listen, it exits.
        while !FileManager.default.fileExists(atPath: folder.appending(path: "pid").path) {
            guard server.isRunning else { throw Failure("nginx ended") }
            sched_yield()
        }
    }

    func stop() {
        server.terminate()
        server.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Requests a path at shop.example with curl, which only trusts the proxy's certificate, and returns curl's output.
    ///
    /// - Parameters:
    ///   - path: The path, with the query.
    ///   - arguments: Further arguments for curl. The cookies of all requests are kept.
    /// - Returns: The headers and the body of each response.
    /// - Throws: A ``Failure`` if curl didn't receive a response.
    func answer(to path: String, _ arguments: [String] = []) throws -> String {
        try Self.output(Self.curl, request(path) + ["--max-time", "60"] + arguments)
    }

    /// Starts a request whose response doesn't end, and reads until a text has arrived.
    func stream(_ path: String, until text: String) throws -> Bool {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: Self.curl)
        process.arguments = request(path) + ["--no-buffer", "--max-time", "60"]
        process.standardOutput = pipe
        try process.run()
        defer { process.terminate() }
        var read = ""
        while true {
            let part = pipe.fileHandleForReading.availableData
            if part.isEmpty { return false }
            read += String(decoding: part, as: UTF8.self)
            if read.contains(text) { return true }
        }
    }

    private func request(_ path: String) -> [String] {
        let cookies = folder.appending(path: "cookies").path
        return [
            "--silent", "--include", "--unix-socket", socket, "--cacert", certificate, "--cookie", cookies,
            "--cookie-jar", cookies, "https://shop.example\(path)",
        ]
    }

    private static func output(_ program: String, _ arguments: [String]) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let said = String(decoding: data, as: UTF8.self)
            throw Failure("\(program) ended with \(process.terminationStatus): \(said)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}

/// Runs a blocking closure on its own thread, so that the closure blocks no thread on which tasks run.
func onOwnThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
