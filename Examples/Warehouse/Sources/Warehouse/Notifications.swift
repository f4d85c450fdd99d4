import Tidings
import TidingsOutbox

/// What a customer wants.
struct Order: Codable, Hashable, Sendable {
    let id: Int
    let item: String
    let quantity: Int
}

/// An order was accepted. It is stored in an outbox.
struct OrderPlaced: RemoteNotification, Hashable {
    static let wireName = "warehouse.placed"
    let order: Order
}

/// The number of pieces in stock has changed.
struct StockChanged: TypedNotification, Hashable {
    let item: String
    let remaining: Int
}

/// What the audit log is told.
enum AuditMessage: Sendable, Hashable {
    case refused(Order)
}
