import Tidings
import TidingsOutbox

/// Where a warehouse keeps what it knows: each of these is one transaction of a database, with what the outbox has of it.
protocol Storage<Store>: Sendable {
    associatedtype Store: OutboxStore

    var outbox: NotificationOutbox<Store> { get }

    /// Stores an order that is not known yet, takes its pieces from the stock, and posts `OrderPlaced`, all of it or nothing.
    ///
    /// - Returns: The pieces that are left; `nil` if the same order was stored before.
    /// - Throws: A refusal, or what the database says.
    func place(_ order: Order) async throws -> Int?

    /// Notes an effect of an order, once for each delivery.
    func add(_ effect: Effects.Kind, of delivery: some IdentifiedDelivery, _ order: Order) async throws

    /// How often each thing has happened to an order.
    func fate(of id: Int) async throws -> OrderFate

    /// How many orders are projected.
    func count() async throws -> Int
}

/// A server that was built without the trait of what it is asked for.
struct NotBuilt: Error {
    let trait: String
}
