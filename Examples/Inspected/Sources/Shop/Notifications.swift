import Tidings

/// A branch of the shop. Of a sender that is a value its type is shown alone, unless that says more.
struct Branch: Hashable, Sendable, CustomTidingsDescription {
    let name: String

    static let harbour = Branch(name: "harbour")
    static let station = Branch(name: "station")

    var tidingsDescription: String { name }
}

/// A customer has ordered something.
struct OrderPlaced: TypedNotification, Hashable, CustomTidingsDescription {
    /// The shop's branch, by which an observer may limit itself.
    let sender: Branch
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
