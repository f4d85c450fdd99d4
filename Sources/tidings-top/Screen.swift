import Foundation
import TidingsInspector

/// The lines of text to display. No line is wider than the terminal, whose width counts as at least 20 columns.
struct Screen {
    struct Line: Equatable {
        enum Style: Equatable {
            case plain, strong, head, faint, alarm
        }

        let text: String
        let style: Style
    }

    private(set) var lines: [Line] = []

    /// `status` describes the connection, or the position in a recording. If the height is `nil`, all rows are shown.
    init(_ snapshot: InspectorSnapshot, _ state: TopState, status: String, size: (width: Int, height: Int?)) {
        let width = max(20, size.width)
        func add(_ text: String, _ style: Line.Style = .plain) {
            lines.append(Line(text: text.fitted(to: width).trimmedAtEnd, style: style))
        }
        func show(_ table: Table) {
            add("")
            add(table.head, .head)
            for row in table.rows { add(row) }
        }

        let program = snapshot.program
        let title =
            "\(program.name.forTerminal) (\(program.process))  up \(short(seconds: max(0, snapshot.time - program.started)))"
        add(title.pushing("\(snapshot.tier)  \(status)", to: width), .strong)
        add(Self.totals(snapshot))
        if let stored = state.stored {
            add("")
            for line in stored.lines(at: snapshot.time, width: width, height: size.height.map { $0 - lines.count - 1 })
            {
                add(line.text, line.isChosen ? .strong : .plain)
            }
            add(stored.keys, .faint)
            return
        }
        let living = snapshot.warnings.filter { $0.recovered == nil }
        let most = (size.height ?? .max) >= 40 ? 6 : 3
        for warning in living.prefix(most) {
            Self.lines(of: warning, width).forEach { add($0, Self.style(of: warning)) }
        }
        if living.count > most { add("  and \(living.count - most) more", .faint) }
        let filter = Inspector.Selection(filter: state.filter)
        let routes = RelayRow.all(of: snapshot).filter {
            filter.matches($0.notification, $0.stream, $0.group, $0.relay)
        }
        if !routes.isEmpty {
            show(Table(size.height == nil ? routes : Array(routes.prefix(5)), RelayRow.columns, width: width))
            if size.height != nil, routes.count > 5 { add("\(routes.count - 5) more routes", .faint) }
        }

        let rates = TypeRates(snapshot)
        let observers = state.ranking.sort(snapshot.observers.filter { filter.matches($0) }, rates: rates)
        let groups = state.ranking.sort(snapshot.groups.filter { filter.matches($0) }, rates: rates)
        let types = state.ranking.sort(snapshot.types.filter { filter.matches($0) })
        // The table of types gets a quarter of the lines, and the table of observers gets the rest. Lines that one
        // table doesn't need go to the other table.
        let count = state.isGrouped ? groups.count : observers.count
        let room = size.height.map { max(0, $0 - lines.count - 5) } ?? .max
        let forTypes = min(types.count, max(room / 4, room == .max ? .max : room - count))
        let forObservers = min(count, room == .max ? .max : room - forTypes)

        if state.isGrouped {
            let counts = Column<InspectorSnapshot.Group>.number("COUNT", from: 50) {
                short($0.count) + ($0.isGrowing ? "+" : "")
            }
            show(Table(groups.prefix(forObservers), [counts] + Self.columns(rates), width: width))
        } else {
            show(Table(observers.prefix(forObservers), Self.columns(rates), width: width))
        }
        if forTypes > 0 { show(Table(types.prefix(forTypes), Self.typeColumns, width: width)) }
        // A recording may contain any number, even a negative or a huge one, so the addition must not trap.
        let left = state.isGrouped ? 0 : max(0, snapshot.omitted.observers)
        let unseen = (count - forObservers).addingReportingOverflow(left).partialValue
        guard size.height != nil else {
            if unseen > 0 { add("\(unseen) more \(state.isGrouped ? "lines" : "observers")", .faint) }
            return
        }
        let stored = width >= 100 && !state.isRecording ? "  o stored" : ""
        let keys = state.isRecording ? "  n p step" : ""
        let sorted = "by \(state.ranking)" + (unseen > 0 ? ", \(short(unseen)) more" : "")
        if state.isTyping {
            add("/\(state.filter.forTerminal)_  enter keeps it, esc clears it", .strong)
        } else if !state.filter.isEmpty {
            add("/\(state.filter.forTerminal)  esc clears it".pushing(sorted, to: width), .strong)
        } else {
            add(
                "sort t w d r b  c count  g group  / filter\(stored)  h hold\(keys)  q quit".pushing(
                    sorted, to: width), .faint
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

    static func lines(of warning: InspectorSnapshot.Warning, _ width: Int) -> [String] {
        let mark = ["alarm": "!! ", "notice": "·  "][warning.severity?.rawValue ?? ""] ?? "!  "
        let text = mark + warning.text.forTerminal
        if text.columns <= width { return [text] }
        // The place in the source is the most useful part of the text, so truncation must not remove it.
        guard let place = warning.place?.forTerminal, width > place.columns + 10 else { return [text] }
        return [text.fitted(to: width - place.columns - 1, .left) + " " + place]
    }

    private static func style(of warning: InspectorSnapshot.Warning) -> Line.Style {
        switch warning.severity {
        case .alarm: .alarm
        case .notice: .faint
        default: .strong
        }
    }

    private static func some(_ number: Int?) -> String? { number.flatMap { $0 == 0 ? nil : short($0) } }

    private static var typeColumns: [Column<InspectorSnapshot.NotificationType>] {
        [
            .text("NOTIFICATION") { $0.name },
            .text("POSTED AT", from: 60, rank: 0, alignment: .end) { $0.postedAt },
            .number("OBSERVERS", from: 70) { short($0.observers) },
            .number("POSTS/S") { $0.postsPerSecond.map { short($0) } },
            .number("CALLS/S", from: 60) { $0.deliveriesPerSecond.map { short($0) } },
            .number("TO NOBODY", from: 70) { some($0.unobserved) },
            .number("WAITING") { some($0.waiting) },
            .number("DROPPED") { some($0.drops) },
            .number("P50", from: 100) { $0.postTimes.map { short(seconds: $0.median) } },
            .number("P99", from: 100) { $0.postTimes.map { short(seconds: $0.percentile99) } },
            .number("LONGEST", from: 110) { $0.postTimes.map { short(seconds: $0.longest) } },
        ]
    }

    private static func columns<Row: Ranked>(_ rates: TypeRates) -> [Column<Row>] {
        [
            .text("OBSERVER") { $0.type },
            .text("REGISTERED AT", from: 40, rank: 0, alignment: .end) { $0.place },
            .text("DELIVERY", from: 170, rank: 3) { $0.delivery },
            .text("OWNER", from: 120, rank: 2) { $0.name ?? $0.owner ?? $0.sender },
            .number("POSTS/S", from: 160) { rates[$0].map { short($0) } },
            .number("CALLS", from: 90) { $0.calls.map { short($0) } },
            .number("CALLS/S", from: 180) { $0.callsPerSecond.map { short($0) } },
            .number("WAITING") { some($0.waiting) },
            .number("GROWTH", from: 115) { $0.waiting == 0 ? nil : $0.waitingGrowth.map { short($0) } },
            .number("RUNNING", from: 70) { $0.runningFor.map { short(seconds: $0) } },
            .number("BUSY", from: 90) { $0.busy.map { "\(Int(max(0, min(1, $0)) * 100))%" } },
            .number("DROPPED") { some($0.dropped) },
            .number("FAILED", from: 60) { some(($0.failed ?? 0) &+ ($0.retrying ?? 0)) },
            .number("P50", from: 130) { $0.callTimes.map { short(seconds: $0.median) } },
            .number("P99", from: 120) { $0.callTimes.map { short(seconds: $0.percentile99) } },
            .number("LONGEST", from: 140) { $0.callTimes.map { short(seconds: $0.longest) } },
        ]
    }
}

extension String {
    fileprivate func pushing(_ other: String, to width: Int) -> String {
        let room = width - other.columns
        return room < 10 ? fitted(to: width) : fitted(to: room - 1) + " " + other
    }

    fileprivate var trimmedAtEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
