import Tidings
import TidingsOutbox

/// The orders and the pieces in stock. This type uses the storage and the center, and doesn't depend on the observers.
struct Stock: Sendable {
    /// The reason why an order is refused.
    enum Refusal: Error, Hashable {
        /// There aren't enough pieces.
        case outOfStock(remaining: Int)
        /// The number of pieces isn't positive.
        case notAQuantity(Int)
        /// Another order has this number.
        case known(Int)
        /// The warehouse is closing.
        case closed
        /// Another connection has locked the database and didn't release it in time, or the database is unreachable.
        case busy
    }

    let storage: any Storage
    let center: any TypedNotificationCenter

    /// Takes an order. When this method returns, the order and its notification are on disk. The observers perform the
    /// effects.
    ///
    /// A client that received no response can send the order again, because the same order is only taken once.
    func place(_ order: Order) async throws {
        guard order.quantity > 0 else { throw Refusal.notAQuantity(order.quantity) }
        do {
            guard let remaining = try await storage.place(order) else { return }
            center.post(StockChanged(item: order.item, remaining: remaining))
        } catch let error as OutboxError where error.code == .finished { throw Refusal.closed }
    }
}
