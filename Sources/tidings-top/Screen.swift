import Foundation
import TidingsInspector

/// What is shown: lines, each as wide as the terminal at most.
struct Screen {
    /// A line and how it is set off.
    struct Line: Equatable {
        enum Style: Equatable {
            case plain, strong, head, faint, alarm
        }

        let text: String
        let style: Style
    }

    private(set) var lines: [Line] = []

    /// - Parameters:
    ///   - snapshot: What an inspector saw.
    ///   - state: What the reader wants to see.
    ///   - status: How the program is connected with, in a word or two.
    ///   - size: The size of the terminal; without a height, all rows are shown.
    init(_ snapshot: InspectorSnapshot, _ state: TopState, status: String, size: (width: Int, height: Int?)) {
        let width = max(20, size.width)
        func add(_ text: String, _ style: Line.Style = .plain) {
            lines.append(Line(text: text.fitted(to: width).trimmedAtEnd, style: style))
        }

        let program = snapshot.program
        let title =
            "\(program.name.forTerminal) (\(program.process))  up \(short(seconds: max(0, snapshot.time - program.started)))"
        add(title.pushing("\(snapshot.tier)  \(status)", to: width), .strong)
        add(Self.totals(snapshot))
        let living = snapshot.warnings.filter { $0.recovered == nil }
        for warning in living.prefix(3) { add("! \(warning.text.forTerminal)", .alarm) }
        if living.count > 3 { add("! and \(living.count - 3) more", .alarm) }
        let routes = RelayRow.all(of: snapshot).filter { state.matches($0.notification, $0.stream, $0.group, $0.relay) }
        if !routes.isEmpty {
            let table = Table(size.height == nil ? routes : Array(routes.prefix(5)), RelayRow.columns, width: width)
            add("")
            add(table.head, .head)
            for row in table.rows { add(row) }
            if size.height != nil, routes.count > 5 { add("\(routes.count - 5) more routes", .faint) }
        }

        let rates = TypeRates(snapshot)
        let observers = state.ranking.sort(
            snapshot.observers.filter {
                state.matches($0.type, $0.place, $0.owner, $0.sender, $0.delivery, $0.center)
            }, rates: rates)
        let groups = state.ranking.sort(
            snapshot.groups.filter { state.matches($0.type, $0.place, $0.owner, $0.sender, $0.delivery, $0.center) },
            rates: rates)
        let types = state.ranking.sort(snapshot.types.filter { state.matches($0.name, $0.center) })
        // Types have a third of what is left, observers the rest; each has what the other does not need.
        let count = state.isGrouped ? groups.count : observers.count
        let room = size.height.map { max(0, $0 - lines.count - 5) } ?? .max
        let forTypes = min(types.count, max(room / 3, room == .max ? .max : room - count))
        let forObservers = min(count, room == .max ? .max : room - forTypes)

        add("")
        let typeTable = Table(types.prefix(forTypes), Self.typeColumns, width: width)
        add(typeTable.head, .head)
        for row in typeTable.rows { add(row) }
        add("")
        let observerTable =
            state.isGrouped
            ? Table(groups.prefix(forObservers), Self.groupColumns(rates), width: width)
            : Table(observers.prefix(forObservers), Self.observerColumns(rates), width: width)
        add(observerTable.head, .head)
        for row in observerTable.rows { add(row) }
        // A file may have any number.
        let left = state.isGrouped ? 0 : max(0, snapshot.omitted.observers)
        let unseen = (count - forObservers).addingReportingOverflow(left).partialValue
        guard size.height != nil else {
            if unseen > 0 { add("\(unseen) more \(state.isGrouped ? "lines" : "observers")", .faint) }
            return
        }
        let keys = state.isRecording ? "  n p step" : ""
        let sorted = "by \(state.ranking)" + (unseen > 0 ? ", \(short(unseen)) more" : "")
        if state.isTyping {
            add("/\(state.filter.forTerminal)_  enter keeps it, esc clears it", .strong)
        } else if !state.filter.isEmpty {
            add("/\(state.filter.forTerminal)  esc clears it".pushing(sorted, to: width), .strong)
        } else {
            add(
                "w queue d drops r rate b busy g group / filter h hold\(keys) q quit".pushing(sorted, to: width), .faint
            )
        }
        if let height = size.height, lines.count > height { lines.removeLast(lines.count - height) }
    }

    private static func totals(_ snapshot: InspectorSnapshot) -> String {
        let totals = snapshot.totals
        let rate = { (value: Double?) in value.map { short($0) } ?? "–" }
        let living = snapshot.warnings.count { $0.recovered == nil }
        return "posts/s \(rate(totals.postsPerSecond))  deliveries/s \(rate(totals.deliveriesPerSecond))  "
            + "waiting \(short(totals.waiting))  dropped \(short(totals.drops))  warnings \(living)"
    }

    private static var typeColumns: [Column<InspectorSnapshot.NotificationType>] {
        [
            .text("NOTIFICATION") { $0.name },
            .number("OBSERVERS", from: 70) { short($0.observers) },
            .number("POSTS/S") { $0.postsPerSecond.map { short($0) } },
            .number("CALLS/S", from: 60) { $0.deliveriesPerSecond.map { short($0) } },
            .number("WAITING") { short($0.waiting) },
            .number("DROPPED") { short($0.drops) },
            .number("P50", from: 100) { $0.postTimes.map { short(seconds: $0.median) } },
            .number("P99", from: 100) { $0.postTimes.map { short(seconds: $0.percentile99) } },
        ]
    }

    private static func groupColumns(_ rates: TypeRates) -> [Column<InspectorSnapshot.Group>] {
        [
            .number("COUNT", from: 50) { short($0.count) + ($0.isGrowing ? "+" : "") },
            .text("OBSERVER") { $0.type },
            .text("REGISTERED AT", from: 40, alignment: .end) { $0.place },
            .text("DELIVERY", from: 110) { $0.delivery },
            .text("OWNER", from: 140) { $0.owner ?? $0.sender ?? "" },
            .number("POSTS/S", from: 120) { rates[$0].map { short($0) } },
            .number("WAITING") { short($0.waiting) },
            .number("GROWTH", from: 80) { $0.waitingGrowth.map { short($0) } },
            .number("RUNNING", from: 70) { $0.runningFor.map { short(seconds: $0) } },
            .number("BUSY", from: 90) { $0.busy.map { "\(Int(max(0, min(1, $0)) * 100))%" } },
            .number("DROPPED", from: 60) { short($0.dropped) },
            .number("P50", from: 100) { $0.callTimes.map { short(seconds: $0.median) } },
            .number("P99", from: 100) { $0.callTimes.map { short(seconds: $0.percentile99) } },
        ]
    }

    private static func observerColumns(_ rates: TypeRates) -> [Column<InspectorSnapshot.Observer>] {
        [
            .text("OBSERVER") { $0.type },
            .text("REGISTERED AT", from: 40, alignment: .end) { $0.place },
            .text("DELIVERY", from: 110) { $0.delivery },
            .text("OWNER", from: 140) { $0.owner ?? $0.sender ?? "" },
            .number("POSTS/S", from: 70) { rates[$0].map { short($0) } },
            .number("WAITING") { short($0.waiting) },
            .number("GROWTH", from: 50) { $0.growth.map { short($0) } },
            .number("DROPPED") { short($0.dropped) },
            .number("RUNNING", from: 90) { $0.runningFor.map { short(seconds: $0) } },
            .number("P50", from: 100) { $0.callTimes.map { short(seconds: $0.median) } },
            .number("P99", from: 100) { $0.callTimes.map { short(seconds: $0.percentile99) } },
        ]
    }
}

extension String {
    /// The string, and at the end of the line another one.
    fileprivate func pushing(_ other: String, to width: Int) -> String {
        let room = width - other.columns
        return room < 10 ? fitted(to: width) : fitted(to: room - 1) + " " + other
    }

    fileprivate var trimmedAtEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
