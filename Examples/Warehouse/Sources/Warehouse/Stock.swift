import Tidings

/// The pieces in stock. It knows the center, and nobody who listens there.
actor Stock {
    /// Why an order is not taken.
    enum Refusal: Error, Hashable {
        /// There are not enough pieces.
        case outOfStock(remaining: Int)
        /// The number of pieces asked for is not a positive one.
        case notAQuantity(Int)
        /// The warehouse is being closed.
        case closed
    }

    private let center: any TypedNotificationCenter
    private var pieces: [String: Int]

    init(_ pieces: [String: Int], center: any TypedNotificationCenter) {
        self.pieces = pieces
        self.center = center
    }

    /// Takes an order. What follows from it is the affair of those who observe.
    func place(_ order: Order) throws(Refusal) {
        guard order.quantity > 0 else { throw .notAQuantity(order.quantity) }
        let remaining = pieces[order.item, default: 0]
        guard remaining >= order.quantity else { throw .outOfStock(remaining: remaining) }
        // A center that has been finished takes nothing. An order that nobody would store must not be promised.
        guard center.post(OrderPlaced(order: order)) > 0 else { throw .closed }
        pieces[order.item] = remaining - order.quantity
        center.post(StockChanged(item: order.item, remaining: remaining - order.quantity))
    }
}
