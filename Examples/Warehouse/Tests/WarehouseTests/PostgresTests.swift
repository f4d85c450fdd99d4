#if PostgreSQL
    import Foundation
    import Hummingbird
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @testable import Warehouse

    /// The connection string of an empty database, in the PostgreSQL server that `Load/postgres` starts.
    private let server = ProcessInfo.processInfo.environment["TIDINGS_POSTGRES"].map { "\($0) dbname=postgres" }

    /// Tests that a server with its storage in PostgreSQL responds like one with SQLite.
    @Suite(.timeLimit(.minutes(20)), .enabled(if: server != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresTests {
        private let recorder = RecordingNotificationCenter()
        private let folder = Folder()

        /// Creates a warehouse. Each test has its own item and orders.
        private func makeWarehouse(_ item: String) async throws -> Warehouse<PostgresOutboxStore> {
            let settings = Settings(folder: folder.path, stock: [item: 5])
            return try await Warehouse(settings, inPostgres: #require(server), center: recorder)
        }

        @Test func `an order is stored and taken from the stock, and its effects happen once`() async throws {
            let warehouse = try await makeWarehouse("book")
            let order = Order(id: 1, item: "book", quantity: 2)
            // The second request gets the response to the first one.
            for _ in 1...2 {
                let answer = try await warehouse.answer(to: order)
                #expect(answer.status == .created && answer.body == "1")
            }
            #expect(await warehouse.outbox.drain(within: .seconds(600)).isEmpty)
            #expect(recorder.posted(OrderPlaced.self) == [OrderPlaced(order: order)])
            #expect(recorder.posted(StockChanged.self) == [StockChanged(item: "book", remaining: 3)])
            let fate = try await warehouse.answer(to: "/orders/1")
            #expect(fate.body == #"{"id":1,"stored":1,"projected":1,"audited":1,"mailed":1,"sent":1}"#)
            #expect(try await warehouse.answer(to: "/orders/2").status == .notFound)
            #expect(try await warehouse.answer(to: "/orders/count").body == "1")
            await warehouse.outbox.finish(within: .seconds(600))
        }

        @Test func `an order that can't be fulfilled, or has another order's number, changes nothing`() async throws {
            let warehouse = try await makeWarehouse("pen")
            #expect(try await warehouse.answer(to: Order(id: 11, item: "pen", quantity: 6)).status == .conflict)
            #expect(try await warehouse.answer(to: "/orders/11").status == .notFound)
            #expect(try await warehouse.answer(to: Order(id: 12, item: "pen", quantity: 5)).status == .created)
            #expect(try await warehouse.answer(to: Order(id: 12, item: "pen", quantity: 1)).status == .conflict)
            #expect(try await warehouse.answer(to: Order(id: 13, item: "pen", quantity: 1)).status == .conflict)
            await warehouse.outbox.drain(within: .seconds(600))
            #expect(try await warehouse.storage.fate(of: 12).isOnce)
            #expect(recorder.posted(OrderPlaced.self).map(\.order.id) == [12])
            await warehouse.outbox.finish(within: .seconds(600))
        }
    }
#endif
