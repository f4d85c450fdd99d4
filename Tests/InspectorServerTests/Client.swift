import FlyingSocks
import Foundation

struct Client {
    let socket: AsyncSocket

    init(_ port: UInt16) async throws {
        socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 60)
    }

    /// Sends a request, and returns the response when the server has closed the connection.
    func exchange(_ request: String) async throws -> String {
        try await socket.write(Data(request.utf8))
        var bytes: [UInt8] = []
        while let more = try? await socket.read(atMost: 4096), !more.isEmpty { bytes += more }
        try socket.close()
        return String(decoding: bytes, as: UTF8.self)
    }

    func read() async throws -> String { String(decoding: try await socket.read(atMost: 4096), as: UTF8.self) }
}
