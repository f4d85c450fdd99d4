import TidingsOutbox

/// What follows from orders: each effect in one transaction with the note that it has happened, so it happens once.
actor Effects {
    /// A table of effects.
    enum Kind: String, CaseIterable, Sendable {
        case projected, audited, mailed, sent
    }

    /// What an effect does outside the database, such as to send the mail. What throws is tried again, and it may happen twice if the
    /// server dies before it is noted.
    typealias Outside = @Sendable (Order) async throws -> Void

    private let kind: Kind
    private let storage: any Storage
    private let outside: Outside?

    init(_ kind: Kind, in storage: any Storage, outside: Outside?) {
        self.kind = kind
        self.storage = storage
        self.outside = outside
    }

    /// Adds an order to the table, once.
    func add(_ stored: StoredNotification<OrderPlaced>) async throws {
        let order = stored.notification.order
        try await outside?(order)
        try await storage.add(kind, of: stored, order)
    }
}

/// What became of an order: how often each thing has happened to it.
struct OrderFate: Hashable, Sendable {
    /// What is counted, in the order of the members.
    static let counted =
        [(table: "orders", column: "id")] + Effects.Kind.allCases.map { (table: $0.rawValue, column: "order_id") }

    let id: Int
    let stored, projected, audited, mailed, sent: Int

    /// Says what became of an order, by a count for each of what is counted.
    init(id: Int, _ counts: [Int]) {
        self.id = id
        (stored, projected, audited, mailed, sent) = (counts[0], counts[1], counts[2], counts[3], counts[4])
    }
    /// As the server says it. An encoder would have the members in any order.
    var json: String {
        #"{"id":\#(id),"stored":\#(stored),"projected":\#(projected),"audited":\#(audited),"mailed":\#(mailed),"sent":\#(sent)}"#
    }
}
