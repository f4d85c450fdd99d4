import Foundation
import TestSupport
import Tidings

final class FakeServer: Sendable {
    struct Connection: Sendable {
        fileprivate let descriptor: Int32

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            // The pointer and the count describe the array's own buffer. An error is ignored, because the other side
            // may have closed the connection.
            _ = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }

        /// Waits for the text. Returns false if the connection ends before the text has arrived.
        @discardableResult
        func wait(for text: String) -> Bool {
            var found = ""
            while !found.contains(text) {
                var bytes = [UInt8](repeating: 0, count: 4096)
                // The pointer and the count describe the array's own buffer.
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
                if count <= 0 { return false }
                found += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return true
        }

        func accept() {
            send("INFO {\"max_payload\":1000,\"headers\":true,\"proto\":1}\r\n")
            if wait(for: "PING\r\n") { send("PONG\r\n") }
        }
    }

    let port: Int
    private let listening: Int32

    var address: String { "nats://127.0.0.1:\(port)" }

    /// For each connection, calls `serve` on a separate thread with the connection and its number, which starts at 0.
    /// The connection ends when `serve` returns.
    init(_ serve: @escaping @Sendable (Connection, Int) -> Void) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The pointer to `address` is used only inside the closure, and `size` is the size of `address`.
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listening, pointer, size) == 0 && listen(listening, 10) == 0
                    && getsockname(listening, pointer, &size) == 0
            }
        }
        guard isListening else { throw CocoaError(.fileNoSuchFile) }
        self.listening = listening
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            var count = 0
            while true {
                let descriptor = Glibc.accept(listening, nil, nil)
                if descriptor < 0 { return }
                let number = count
                count += 1
                Thread.detachNewThread {
                    serve(Connection(descriptor: descriptor), number)
                    close(descriptor)
                }
            }
        }
    }

    deinit {
        // Ends the thread that accepts connections.
        shutdown(listening, Int32(SHUT_RDWR))
        close(listening)
    }
}
