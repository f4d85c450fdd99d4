import TidingsOutbox

/// The effects of orders. Each effect is recorded in one transaction with its delivery, and therefore only once.
actor Effects {
    enum Kind: String, CaseIterable, Sendable {
        case projected, audited, mailed, sent
    }

    /// The part of an effect outside the database, such as sending the mail. It is retried if it throws, and it can
    /// happen twice if the server dies before the effect is recorded.
    typealias Outside = @Sendable (Order) async throws -> Void

    private let kind: Kind
    private let storage: any Storage
    private let outside: Outside?

    init(_ kind: Kind, in storage: any Storage, outside: Outside?) {
        self.kind = kind
        self.storage = storage
        self.outside = outside
    }

    func add(_ stored: StoredNotification<OrderPlaced>) async throws {
        let order = stored.notification.order
        try await outside?(order)
        try await storage.add(kind, of: stored, order)
    }
}

struct OrderFate: Hashable, Sendable {
    /// The tables and columns that are counted, in the order of the properties.
    static let counted =
        [(table: "orders", column: "id")] + Effects.Kind.allCases.map { (table: $0.rawValue, column: "order_id") }

    let id: Int
    let stored, projected, audited, mailed, sent: Int

    init(id: Int, _ counts: [Int]) {
        self.id = id
        (stored, projected, audited, mailed, sent) = (counts[0], counts[1], counts[2], counts[3], counts[4])
    }
    /// The server's response as JSON. An encoder would write the members in any order.
    var json: String {
        #"{"id":\#(id),"stored":\#(stored),"projected":\#(projected),"audited":\#(audited),"mailed":\#(mailed),"sent":\#(sent)}"#
    }
}
