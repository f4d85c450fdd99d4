import Foundation
import GRDB
import Hummingbird
import Logging
import NIOEmbedded
import ServiceLifecycleTestKit
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@testable import Warehouse

@Suite(.timeLimit(.minutes(10))) struct OrderTests {
    private let recorder = RecordingNotificationCenter()
    private let folder = Folder()

    private func makeWarehouse() async throws -> Warehouse {
        try await Warehouse(folder: folder.path, stock: ["book": 5], center: recorder)
    }

    /// Sends an order as a client does, without a socket.
    private func post(_ order: Order, to warehouse: Warehouse) async throws -> HTTPResponse.Status {
        try await ask("/orders", .post, ByteBuffer(data: try JSONEncoder().encode(order)), of: warehouse)
    }

    private func ask(
        _ path: String, _ method: HTTPRequest.Method = .get, _ body: ByteBuffer = ByteBuffer(), of warehouse: Warehouse
    ) async throws -> HTTPResponse.Status {
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path),
            body: RequestBody(buffer: body))
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "OrderTests")))
        do {
            return try await warehouse.router.buildResponder().respond(to: request, context: context).status
        } catch let error as any HTTPResponseError {
            return error.status
        }
    }

    @Test func `an order is stored, taken from the stock, and what follows from it happens once`() async throws {
        let warehouse = try await makeWarehouse()
        let order = Order(id: 1, item: "book", quantity: 2)
        let status = try await post(order, to: warehouse)
        #expect(status == .created)
        #expect(await warehouse.outbox.drain(within: .seconds(30)).isEmpty)
        #expect(recorder.posted(OrderPlaced.self) == [OrderPlaced(order: order)])
        #expect(recorder.posted(StoredNotification<OrderPlaced>.self).map(\.notification.order) == [order])
        #expect(recorder.posted(StockChanged.self) == [StockChanged(item: "book", remaining: 3)])
        let fate = try await OrderFate(of: 1, in: warehouse.database)
        #expect(fate.stored == 1 && fate.projected == 1 && fate.audited == 1 && fate.mailed == 1 && fate.sent == 1)
        await warehouse.outbox.finish(within: .seconds(30))
    }

    @Test func `an order that is known is refused, and nothing happens twice`() async throws {
        let warehouse = try await makeWarehouse()
        for status in [HTTPResponse.Status.created, .conflict] {
            #expect(try await post(Order(id: 1, item: "book", quantity: 1), to: warehouse) == status)
        }
        await warehouse.outbox.drain(within: .seconds(30))
        #expect(try await OrderFate(of: 1, in: warehouse.database).projected == 1)
        #expect(recorder.posted(OrderPlaced.self).count == 1)
        await warehouse.outbox.finish(within: .seconds(30))
    }

    @Test func `a server whose observer hangs is not ready, until the observer goes on`() async throws {
        let warehouse = try await makeWarehouse()
        #expect(try await ask("/ready", of: warehouse) == .ok)
        let (goOn, signal) = AsyncStream.makeStream(of: Void.self)
        let token = recorder.addObserver(on: .task, for: StockChanged.self) { _ in for await _ in goOn {} }
        // One more than may wait, beside the one that hangs.
        for number in 0..<1_002 { recorder.post(StockChanged(item: "book", remaining: number)) }
        #expect(try await ask("/ready", of: warehouse) == .serviceUnavailable)
        signal.finish()
        await recorder.drain(within: .seconds(300))
        #expect(try await ask("/ready", of: warehouse) == .ok)
        #expect(try await ask("/alive", of: warehouse) == .ok)
        await warehouse.outbox.finish(within: .seconds(30))
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [(6, HTTPResponse.Status.conflict), (0, .badRequest), (-1, .badRequest)])
    func `an order that cannot be met is refused and logged, and nobody is told`(
        quantity: Int, status: HTTPResponse.Status
    ) async throws {
        let warehouse = try await makeWarehouse()
        let answer = try await post(Order(id: 2, item: "book", quantity: quantity), to: warehouse)
        #expect(answer == status)
        await recorder.expectNothingPosted()
        await warehouse.audit.drain(within: .seconds(30))
        let logged = try folder.read("refused.log")
        #expect(logged == "refused 2\n")
    }

    @Test func `a shutdown waits for what was begun, and nothing is promised after it`() async throws {
        let warehouse = try await Warehouse(folder: folder.path, stock: ["book": 1_000])
        try await testGracefulShutdown { shutdown in
            for id in 1...100 { try await warehouse.stock.place(Order(id: id, item: "book", quantity: 1)) }
            shutdown.triggerGracefulShutdown()
            // Last to first, as a service group does.
            for service in warehouse.services.reversed() { try await service.run() }
        }
        let counts = try await warehouse.database.read { db in
            try Effects.Kind.allCases.map { try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0.rawValue)") }
        }
        #expect(counts == [100, 100, 100, 100])
        await #expect(throws: Stock.Refusal.closed) {
            try await warehouse.stock.place(Order(id: 501, item: "book", quantity: 1))
        }
    }
}

/// A folder that is removed with the test.
final class Folder: Sendable {
    let path = NSTemporaryDirectory() + UUID().uuidString

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func read(_ file: String) throws -> String { try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8) }
}
