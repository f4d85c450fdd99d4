import Foundation
import Hummingbird
import ServiceLifecycleTestKit
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@testable import Warehouse

@Suite(.timeLimit(.minutes(10))) struct OrderTests {
    private let recorder = RecordingNotificationCenter()
    private let folder = Folder()

    private func makeWarehouse(
        outside: [Effects.Kind: Effects.Outside] = [:], token: String? = nil
    ) async throws -> Warehouse<SQLiteOutboxStore> {
        var settings = Settings(folder: folder.path, stock: ["book": 5])
        (settings.outside, settings.token) = (outside, token)
        return try await Warehouse(settings, center: recorder)
    }

    @Test func `an order is stored and taken from the stock, and its effects happen once`() async throws {
        let warehouse = try await makeWarehouse()
        let order = Order(id: 1, item: "book", quantity: 2)
        let status = try await warehouse.answer(to: order).status
        #expect(status == .created)
        #expect(await warehouse.outbox.drain(within: .seconds(300)).isEmpty)
        #expect(recorder.posted(OrderPlaced.self) == [OrderPlaced(order: order)])
        #expect(recorder.posted(StoredNotification<OrderPlaced>.self).map(\.notification.order) == [order])
        #expect(recorder.posted(StockChanged.self) == [StockChanged(item: "book", remaining: 3)])
        let answer = try await warehouse.answer(to: "/orders/1")
        #expect(answer.body == #"{"id":1,"stored":1,"projected":1,"audited":1,"mailed":1,"sent":1}"#)
        #expect(try await warehouse.answer(to: "/orders/2").status == .notFound)
        await warehouse.outbox.finish(within: .seconds(300))
    }

    @Test func `an order that is sent twice gets the same response, one row and one mail`() async throws {
        let mails = Counter()
        let warehouse = try await makeWarehouse(outside: [.mailed: { _ in await mails.count() }])
        let order = Order(id: 1, item: "book", quantity: 5)
        // The second request finds no pieces left, but gets the response to the first one.
        for _ in 1...2 {
            let answer = try await warehouse.answer(to: order)
            #expect(answer.status == .created && answer.body == "1")
        }
        await warehouse.outbox.drain(within: .seconds(300))
        #expect(try await warehouse.storage.fate(of: 1).isOnce)
        #expect(await mails.number == 1)
        #expect(recorder.posted(OrderPlaced.self).count == 1)
        #expect(recorder.posted(StockChanged.self).count == 1)
        await warehouse.outbox.finish(within: .seconds(300))
        // The response is the same even after the outbox has stopped accepting posts.
        #expect(try await warehouse.answer(to: order).status == .created)
        let other = try await warehouse.answer(to: Order(id: 2, item: "book", quantity: 1))
        #expect(other.status == .conflict || other.status == .serviceUnavailable)
    }

    @Test(arguments: [Order(id: 1, item: "book", quantity: 2), Order(id: 1, item: "pen", quantity: 1)])
    func `a different order with a known number is rejected, and changes nothing`(other: Order) async throws {
        let warehouse = try await makeWarehouse()
        #expect(try await warehouse.answer(to: Order(id: 1, item: "book", quantity: 1)).status == .created)
        #expect(try await warehouse.answer(to: other).status == .conflict)
        await warehouse.outbox.drain(within: .seconds(300))
        #expect(try await warehouse.storage.fate(of: 1).isOnce)
        #expect(recorder.posted(OrderPlaced.self).map(\.order.quantity) == [1])
        #expect(recorder.posted(StockChanged.self).map(\.remaining) == [4])
        await warehouse.outbox.finish(within: .seconds(300))
    }

    @Test(arguments: ["/observers", "/durable"])
    func `the observers are shown to clients with the token, and to none if no token is set`(path: String) async throws
    {
        let open = try await makeWarehouse()
        #expect(try await open.answer(to: path, token: "secret").status == .notFound)
        await open.outbox.finish(within: .seconds(300))
        let warehouse = try await makeWarehouse(token: "secret")
        #expect(try await warehouse.answer(to: path).status == .unauthorized)
        #expect(try await warehouse.answer(to: path, token: "secre").status == .unauthorized)
        #expect(try await warehouse.answer(to: path, token: "Secret").status == .unauthorized)
        #expect(try await warehouse.answer(to: path, token: "secret").status == .ok)
        await warehouse.outbox.finish(within: .seconds(300))
    }

    @Test func `a server whose observer hangs is not ready until the observer continues`() async throws {
        let warehouse = try await makeWarehouse()
        #expect(try await warehouse.answer(to: "/ready").status == .ok)
        let (goOn, signal) = AsyncStream.makeStream(of: Void.self)
        let token = recorder.addObserver(on: .task, for: StockChanged.self) { _ in for await _ in goOn {} }
        for number in 0..<1_002 { recorder.post(StockChanged(item: "book", remaining: number)) }
        #expect(try await warehouse.answer(to: "/ready").status == .serviceUnavailable)
        signal.finish()
        await recorder.drain(within: .seconds(300))
        #expect(try await warehouse.answer(to: "/ready").status == .ok)
        #expect(try await warehouse.answer(to: "/alive").status == .ok)
        await warehouse.outbox.finish(within: .seconds(300))
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [(6, HTTPResponse.Status.conflict), (0, .badRequest), (-1, .badRequest)])
    func `an order that can't be fulfilled is rejected and logged, and no observer receives it`(
        quantity: Int, status: HTTPResponse.Status
    ) async throws {
        let warehouse = try await makeWarehouse()
        let answer = try await warehouse.answer(to: Order(id: 2, item: "book", quantity: quantity))
        #expect(answer.status == status)
        await recorder.expectNothingPosted()
        await warehouse.audit.drain(within: .seconds(300))
        let logged = try folder.read("refused.log")
        #expect(logged == "refused 2\n")
    }

    @Test func `a shutdown waits for the effects of accepted orders, and later orders are rejected`() async throws {
        let warehouse = try await Warehouse(Settings(folder: folder.path, stock: ["book": 1_000]))
        try await testGracefulShutdown { shutdown in
            for id in 1...100 { try await warehouse.stock.place(Order(id: id, item: "book", quantity: 1)) }
            shutdown.triggerGracefulShutdown()
            // The services are shut down in reverse order, as in a service group.
            for service in warehouse.services.reversed() { try await service.run() }
        }
        for id in 1...100 { #expect(try await warehouse.storage.fate(of: id).isOnce) }
        await #expect(throws: Stock.Refusal.closed) {
            try await warehouse.stock.place(Order(id: 501, item: "book", quantity: 1))
        }
    }
}
