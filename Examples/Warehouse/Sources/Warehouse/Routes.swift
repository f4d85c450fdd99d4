import Hummingbird
import ServiceLifecycle
import Tidings

/// What the server answers.
func routes(
    stock: Stock, projection: Projection, audit: MessageBus<AuditMessage>, center: any TypedNotificationCenter
) -> Router<BasicRequestContext> {
    let router = Router()

    router.post("orders") { request, context in
        let order = try await request.decode(as: Order.self, context: context)
        do throws(Stock.Refusal) {
            try await stock.place(order)
            return Response(status: .created, body: ResponseBody(byteBuffer: ByteBuffer(string: "\(order.id)")))
        } catch {
            audit.dispatch(.refused(order))
            switch error {
            case .outOfStock(let remaining): throw HTTPError(.conflict, message: "\(remaining) left")
            case .notAQuantity(let quantity): throw HTTPError(.badRequest, message: "\(quantity) is not a quantity")
            case .closed: throw HTTPError(.serviceUnavailable, message: "closing")
            }
        }
    }

    router.get("orders/count") { _, _ in try await String(projection.count()) }

    // Server-sent events, orders and stock in the order in which they happened. A reader who is too slow loses the oldest.
    router.get("events") { _, _ in
        let notes = center.notifications(of: OrderPlaced.self, StockChanged.self, buffering: .latest(1_000))
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                // The server waits for its answers when it is shut down, and this one would have no end.
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

    router.get("observers") { _, _ in center.observations.table }

    return router
}
