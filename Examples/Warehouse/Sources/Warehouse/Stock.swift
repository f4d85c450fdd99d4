import Tidings
import TidingsOutbox

/// The orders and the pieces in stock. It knows where they are stored and the center, and nobody who listens there.
struct Stock: Sendable {
    /// Why an order is not taken.
    enum Refusal: Error, Hashable {
        /// There are not enough pieces.
        case outOfStock(remaining: Int)
        /// The number of pieces asked for is not a positive one.
        case notAQuantity(Int)
        /// There is another order of the number.
        case known(Int)
        /// The warehouse is being closed.
        case closed
        /// Somebody else has locked the database, and not let go of it in time; or it is away.
        case busy
    }

    let storage: any Storage
    let center: any TypedNotificationCenter

    /// Takes an order. When this returns it is on the disk, and with it what follows from it: that is the affair of those who observe.
    ///
    /// An order that was taken is not taken a second time, so a client that has got no answer sends it again.
    func place(_ order: Order) async throws {
        guard order.quantity > 0 else { throw Refusal.notAQuantity(order.quantity) }
        do {
            guard let remaining = try await storage.place(order) else { return }
            center.post(StockChanged(item: order.item, remaining: remaining))
        } catch let error as OutboxError where error.code == .finished { throw Refusal.closed }
    }
}
