import Foundation
import Tidings
import TidingsRelay

/// Fuzzes the reading of a relay's messages, in both modes of CloudEvents. Other programs may send any content.
enum RelayEvents: FuzzTarget {
    static let name = "relayEvents"

    /// The names of headers that a relay may read. Other headers have arbitrary names.
    private static let names = [
        "ce-specversion", "ce-id", "ce-source", "ce-type", "ce-time", "ce-traceparent", "ce-tracestate", "content-type",
        "traceparent", "CE-Id", "tracestate",
    ]

    struct Placed: RemoteNotification {
        static let wireName = "orders.placed"
        var number: Int
        var name: String?
    }

    static func feed(_ input: inout Input) {
        let headers = input.list(upTo: 15) { input in
            let choice = input.below(names.count + 1)
            return RelayMessage.Header(choice < names.count ? names[choice] : input.text(), input.longText())
        }
        let message = RelayMessage("tidings.orders.placed.v1", headers: headers, bytes: input.rest())
        let event: CloudEvent
        do throws(CloudEvent.Malformed) { event = try CloudEvent(message) } catch {
            demand(!error.description.isEmpty, "an error without a description")
            return
        }
        _ = EventType(event.type)
        check(event, .binary)
        guard let placed = try? Placed.decoded(event.data, version: 1) else { return }
        var written = event
        written.contentType = Placed.wireContentType
        guard let data = try? placed.encoded() else { fatalError("\(placed) cannot be encoded") }
        written.data = data
        check(written, .binary)
        check(written, .structured)
    }

    private static func check(_ event: CloudEvent, _ mode: RelayEventMode) {
        // If the content type is that of an event, the data itself is read as an event, which differs from `event`.
        if event.contentType.lowercased().hasPrefix("application/cloudevents") { return }
        let message = event.message("tidings.orders.placed.v1", mode: mode)
        for header in message.headers {
            demand(
                header.value.utf8.allSatisfy { (0x20...0x7E).contains($0) },
                "a header with a control character, or one that isn't ASCII: \(header)")
        }
        do throws(CloudEvent.Malformed) {
            let again = try CloudEvent(message)
            demand(again == event, "\(event) became \(again)")
        } catch {
            fatalError("\(event) could not be read again: \(error)")
        }
    }
}
