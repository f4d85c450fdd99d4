import Tidings
import TidingsOutbox

/// The storage of a warehouse. Each operation is one transaction of a database that includes the outbox.
protocol Storage<Store>: Sendable {
    associatedtype Store: OutboxStore

    var outbox: NotificationOutbox<Store> { get }

    /// Stores a new order, takes its pieces from the stock, and posts `OrderPlaced`, all or nothing.
    ///
    /// - Returns: The number of pieces left, or `nil` if the same order was stored before.
    /// - Throws: A refusal, or an error of the database.
    func place(_ order: Order) async throws -> Int?

    /// Records an effect of an order, once for each delivery.
    func add(_ effect: Effects.Kind, of delivery: some IdentifiedDelivery, _ order: Order) async throws

    /// Returns the number of times that each effect has happened to an order.
    func fate(of id: Int) async throws -> OrderFate

    /// Returns the number of projected orders.
    func count() async throws -> Int
}

/// An error for a server that was built without a trait it needs.
struct NotBuilt: Error {
    let trait: String
}
