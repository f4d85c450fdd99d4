import Tidings
import TidingsOutbox

/// The order of a customer.
struct Order: Codable, Hashable, Sendable {
    let id: Int
    let item: String
    let quantity: Int
}

/// An order was accepted. An outbox stores this notification.
struct OrderPlaced: RemoteNotification, Hashable {
    static let wireName = "warehouse.placed"
    let order: Order
}

/// The number of pieces in stock has changed.
struct StockChanged: TypedNotification, Hashable {
    let item: String
    let remaining: Int
}

/// A message to the audit log.
enum AuditMessage: Sendable, Hashable {
    case refused(Order)
}
