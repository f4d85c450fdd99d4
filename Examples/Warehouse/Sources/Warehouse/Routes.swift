import Hummingbird
import ServiceLifecycle
import Tidings
import TidingsOutbox

/// Creates the routes of the server.
func routes<Store>(of warehouse: Warehouse<Store>) -> Router<BasicRequestContext> {
    let (stock, storage, audit, center) = (warehouse.stock, warehouse.storage, warehouse.audit, warehouse.center)
    let thresholds = warehouse.settings.thresholds
    let router = Router()

    // Responds with 201 once the order is stored. A client that received no response can send the order again and gets
    // the same response, because the order's number identifies it.
    router.post("orders") { request, context in
        let order = try await request.decode(as: Order.self, context: context)
        do {
            try await stock.place(order)
            return Response(status: .created, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(order.id)")))
        } catch let error as Stock.Refusal {
            audit.dispatch(.refused(order))
            context.logger.notice("order refused", metadata: ["order": "\(order.id)", "reason": "\(error)"])
            switch error {
            case .outOfStock(let remaining): throw HTTPError(.conflict, message: "\(remaining) left")
            case .notAQuantity(let quantity): throw HTTPError(.badRequest, message: "\(quantity) is not a quantity")
            case .known(let id): throw HTTPError(.conflict, message: "there is another order \(id)")
            case .closed: throw HTTPError(.serviceUnavailable, message: "closing")
            case .busy: throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"], message: "busy")
            }
        }
    }

    router.get("orders/count") { _, _ in
        try await String(storage.count())
    }

    // Responds with the fate of an order as counts, so that a duplicate effect is visible.
    router.get("orders/:id") { _, context in
        let fate = try await storage.fate(of: context.parameters.require("id", as: Int.self))
        if fate.stored == 0 { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: fate.json)))
    }

    // Server-sent events of orders and stock, in the order in which they happened. A reader that is too slow loses the
    // oldest events.
    router.get("events") { _, _ in
        let notes = center.notifications(of: OrderPlaced.self, StockChanged.self, buffering: .latest(1_000))
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                // A shutdown waits for the server's responses to end. This response wouldn't end on its own.
                for await note in notes.cancelOnGracefulShutdown() {
                    let event =
                        switch note {
                        case let note as OrderPlaced: "event: placed\ndata: \(note.order.id)\n\n"
                        case let note as StockChanged: "event: stock\ndata: \(note.item) \(note.remaining)\n\n"
                        default: ""
                        }
                    try await writer.write(ByteBuffer(string: event))
                }
                try await writer.finish(nil)
            })
    }

    // For a load balancer: reports whether the observers keep up and, if not, which observer is behind.
    router.get("ready") { _, _ in
        let health = center.health(thresholds) + audit.health(thresholds) + warehouse.outbox.health(thresholds)
        if !health.isWell { throw HTTPError(.serviceUnavailable, message: "\(health)") }
        return "ready"
    }

    // The supervisor that restarts the server queries this route. A slow observer recovers on its own, but a call that
    // hangs doesn't.
    router.get("alive") { _, _ in
        let health = center.health(thresholds) + audit.health(thresholds) + warehouse.outbox.health(thresholds)
        if !health.isAlive { throw HTTPError(.serviceUnavailable, message: "\(health)") }
        return "alive"
    }

    // The observers and their progress are only shown to the operators of the server.
    let guarded = router.group().add(middleware: TokenGuard(token: warehouse.settings.token))
    guarded.get("observers") { _, _ in center.observations.table }
    guarded.get("durable") { _, _ in
        try await warehouse.outbox.registeredObservers().map { "\($0)" }.joined(separator: "\n")
    }

    return router
}
