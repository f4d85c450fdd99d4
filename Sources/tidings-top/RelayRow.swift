import TidingsInspector

/// A row for a route of a relay, or for a relay without known routes.
struct RelayRow {
    let relay: String
    let notification, stream, group: String
    let route: InspectorSnapshot.Route?
    let outgoing: Int

    static func all(of snapshot: InspectorSnapshot) -> [RelayRow] {
        let rows = (snapshot.relays ?? []).flatMap { relay in
            let trouble = relay.connected ? relay.error.map { _ in "no answer" } : "offline"
            func row(_ route: InspectorSnapshot.Route?) -> RelayRow {
                RelayRow(
                    relay: trouble.map { "\(relay.name): \($0)" } ?? relay.name,
                    notification: route?.notification ?? "", stream: route?.stream ?? "", group: route?.group ?? "",
                    route: route, outgoing: relay.outgoing)
            }
            return relay.routes.isEmpty ? [row(nil)] : relay.routes.map { row($0) }
        }
        return rows.sorted { $0.age > $1.age }
    }

    private var age: Double { route?.oldestAge ?? 0 }

    static var columns: [Column<RelayRow>] {
        [
            .text("RELAY") { $0.relay },
            .text("ROUTE") { $0.notification },
            .text("STREAM", from: 110) { $0.stream },
            .text("GROUP", from: 80) { $0.group },
            .number("WAITING") { $0.route.map { short($0.waiting) } },
            .number("OLDEST") { $0.route?.oldestAge.map { short(seconds: $0) } },
            .number("TAKEN", from: 60) { $0.route.map { short($0.inProgress) } },
            .number("AGAIN", from: 100) { $0.route.map { short($0.redelivered) } },
            .number("DEAD", from: 50) { $0.route.map { short($0.deadLetters) } },
            .number("UNSENT", from: 120) { short($0.outgoing) },
        ]
    }
}
