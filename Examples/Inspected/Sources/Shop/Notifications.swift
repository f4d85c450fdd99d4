import Tidings

/// A customer has ordered something.
struct OrderPlaced: TypedNotification, Hashable, CustomTidingsDescription {
    /// The shop's branch, by which an observer may limit itself.
    let sender: String
    let number: Int
    let item: String

    /// What whoever looks into the program sees of an order.
    var tidingsDescription: String { "order \(number), \(item)" }
}

/// An order was paid for.
struct OrderPaid: TypedNotification, Hashable {
    let number: Int
}

/// The number of pieces in stock has changed.
struct StockChanged: TypedNotification, Hashable {
    let item: String
    let remaining: Int
}

/// A page was looked at: there are many of these, and nobody minds if some are missed.
struct PageViewed: TypedNotification, Hashable {
    let page: Int
}

/// What the audit log is told.
enum AuditMessage: Sendable, Hashable {
    case stockTaken(order: Int)
}
