import Foundation
import Hummingbird
import Logging
import NIOEmbedded

@testable import Warehouse

extension Warehouse {
    /// Returns the server's response to an order, without a socket.
    func answer(to order: Order) async throws -> (status: HTTPResponse.Status, body: String) {
        try await answer(to: "/orders", .post, ByteBuffer(bytes: try JSONEncoder().encode(order)))
    }

    func answer(
        to path: String, _ method: HTTPRequest.Method = .get, _ body: ByteBuffer = ByteBuffer(), token: String? = nil
    ) async throws -> (status: HTTPResponse.Status, body: String) {
        var head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
        head.headerFields[.authorization] = token.map { "Bearer \($0)" }
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "Asking")))
        let request = Request(head: head, body: RequestBody(buffer: body))
        do {
            let response = try await router.buildResponder().respond(to: request, context: context)
            let writer = Written()
            try await response.body.write(writer)
            return (response.status, writer.text.value)
        } catch let error as HTTPError { return (error.status, error.body ?? "") }
    }
}

private struct Written: ResponseBodyWriter {
    final class Text: @unchecked Sendable {  // used in one task
        var value = ""
    }
    let text = Text()

    func write(_ buffer: ByteBuffer) async throws { text.value += String(buffer: buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension OrderFate {
    /// Whether each effect has happened to the order exactly once.
    var isOnce: Bool { [stored, projected, audited, mailed, sent].allSatisfy { $0 == 1 } }
}

actor Counter {
    private(set) var number = 0

    @discardableResult
    func count() -> Int {
        number += 1
        return number
    }
}

final class Turnstile: Sendable {
    private let (held, opening) = AsyncStream.makeStream(of: Void.self)
    private let (arrivals, arriving) = AsyncStream.makeStream(of: Void.self)

    func pass() async {
        arriving.yield()
        for await _ in held {}
    }

    /// Waits until a caller has arrived.
    func waitForSomebody() async { for await _ in arrivals { break } }
    func open() { opening.finish() }
}

final class Folder: Sendable {
    let path = NSTemporaryDirectory() + UUID().uuidString

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func read(_ file: String) throws -> String { try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8) }
}
