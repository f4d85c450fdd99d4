import Tidings

/// What a customer wants.
public struct Order: Codable, Hashable, Sendable {
    public let id: Int
    public let item: String
    public let quantity: Int

    public init(id: Int, item: String, quantity: Int) {
        self.id = id
        self.item = item
        self.quantity = quantity
    }
}

/// An order was accepted.
struct OrderPlaced: TypedNotification, Hashable {
    let order: Order
}

/// The number of pieces in stock has changed.
struct StockChanged: TypedNotification, Hashable {
    let item: String
    let remaining: Int
}

/// What the audit log is told.
enum AuditMessage: Sendable, Hashable {
    case placed(Order)
    case refused(Order)
}
