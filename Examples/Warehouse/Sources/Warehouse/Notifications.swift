import Tidings

/// What a customer wants.
struct Order: Codable, Hashable, Sendable {
    let id: Int
    let item: String
    let quantity: Int
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
