import Tidings

/// A branch of the shop. If a sender is a value without a custom description, the inspector shows only its type.
struct Branch: Hashable, Sendable, CustomTidingsDescription {
    let name: String

    static let harbour = Branch(name: "harbour")
    static let station = Branch(name: "station")

    var tidingsDescription: String { name }
}

/// A customer has ordered something.
struct OrderPlaced: TypedNotification, Hashable, CustomTidingsDescription {
    let sender: Branch
    let number: Int
    let item: String

    var tidingsDescription: String { "order \(number), \(item)" }
}

/// An order was paid.
struct OrderPaid: TypedNotification, Hashable {
    let number: Int
}

/// The number of pieces in stock has changed.
struct StockChanged: TypedNotification, Hashable {
    let item: String
    let remaining: Int
}

/// A page was viewed. There are many of these, and an observer can miss some.
struct PageViewed: TypedNotification, Hashable {
    let page: Int
}

/// A message to the audit log.
enum AuditMessage: Sendable, Hashable {
    case stockTaken(order: Int)
}
