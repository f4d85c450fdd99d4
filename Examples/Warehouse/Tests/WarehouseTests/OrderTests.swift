import Foundation
import Hummingbird
import Logging
import NIOEmbedded
import ServiceLifecycleTestKit
import Testing
import Tidings
import TidingsTesting

@testable import Warehouse

@Suite(.timeLimit(.minutes(1))) struct OrderTests {
    private let recorder = RecordingNotificationCenter()
    private let folder = Folder()

    private func makeWarehouse() throws -> Warehouse {
        try Warehouse(folder: folder.path, stock: ["book": 5], center: recorder)
    }

    /// Sends an order as a client does, without a socket.
    private func post(_ order: Order, to warehouse: Warehouse) async throws -> HTTPResponse.Status {
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/orders"),
            body: RequestBody(buffer: ByteBuffer(data: try JSONEncoder().encode(order))))
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "OrderTests")))
        do {
            return try await warehouse.router.buildResponder().respond(to: request, context: context).status
        } catch let error as any HTTPResponseError {
            return error.status
        }
    }

    @Test func `an order is stored, logged and taken from the stock`() async throws {
        let warehouse = try makeWarehouse()
        let order = Order(id: 1, item: "book", quantity: 2)
        let status = try await post(order, to: warehouse)
        #expect(status == .created)
        await recorder.expectPosted(
            exactly: .equal(to: OrderPlaced(order: order)), .equal(to: StockChanged(item: "book", remaining: 3)))
        let stored = try await warehouse.projection.count()
        #expect(stored == 1)
        await warehouse.audit.drain(within: .seconds(30))
        let logged = try folder.read("audit.log")
        #expect(logged == "placed 1\n")
    }

    @Test(arguments: [(6, HTTPResponse.Status.conflict), (0, .badRequest), (-1, .badRequest)])
    func `an order that cannot be met is refused and logged, and nobody is told`(
        quantity: Int, status: HTTPResponse.Status
    ) async throws {
        let warehouse = try makeWarehouse()
        let answer = try await post(Order(id: 2, item: "book", quantity: quantity), to: warehouse)
        #expect(answer == status)
        await recorder.expectNothingPosted()
        await warehouse.audit.drain(within: .seconds(30))
        let logged = try folder.read("audit.log")
        #expect(logged == "refused 2\n")
    }

    @Test func `a shutdown waits for what was promised, and nothing is promised after it`() async throws {
        let warehouse = try Warehouse(folder: folder.path, stock: ["book": 1_000])
        try await testGracefulShutdown { shutdown in
            for id in 1...500 { try await warehouse.stock.place(Order(id: id, item: "book", quantity: 1)) }
            shutdown.triggerGracefulShutdown()
            try await warehouse.service.run()
        }
        let stored = try await warehouse.projection.count()
        let logged = try folder.read("audit.log")
        #expect(stored == 500)
        #expect(logged == (1...500).map { "placed \($0)\n" }.joined())
        await #expect(throws: Stock.Refusal.closed) {
            try await warehouse.stock.place(Order(id: 501, item: "book", quantity: 1))
        }
    }

    @Test func `what SQLite says of an order stands in the receipt, with the observer's place`() async throws {
        let warehouse = try makeWarehouse()
        let order = Order(id: 3, item: "book", quantity: 1)
        #expect(await recorder.deliver(OrderPlaced(order: order)).failures.isEmpty)
        let failure = try #require(await recorder.deliver(OrderPlaced(order: order)).failures.first)
        #expect("\(failure.error)".contains("UNIQUE constraint failed"))
        #expect("\(failure.place)".hasPrefix("Warehouse/Warehouse.swift:"))
        withExtendedLifetime(warehouse) {}
    }
}

/// A folder that is removed with the test.
final class Folder: Sendable {
    let path = NSTemporaryDirectory() + UUID().uuidString

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func read(_ file: String) throws -> String { try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8) }
}
