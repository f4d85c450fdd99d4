import TidingsInspector

/// Observers are compared by source line, because their identities differ between runs.
struct Comparison {
    struct Row {
        enum Presence: String {
            case new, gone
            case both = ""
        }

        let presence: Presence
        let name, place, delivery: String
        /// The number of observers in each snapshot.
        let before, after: Int
        let waiting, dropped, failed, calls: Int

        /// A change of `calls` alone isn't notable, because `calls` also grows in normal operation.
        var isNotable: Bool { presence != .both || before != after || waiting != 0 || dropped != 0 || failed != 0 }

        fileprivate var weights: [UInt] {
            [isNotable ? 1 : 0, presence == .both ? 0 : 1]
                + [after &- before, waiting, dropped, failed, calls].map(\.magnitude)
        }
    }

    private struct Key: Hashable {
        let center, type, place, delivery: String
    }

    let before, after: InspectorSnapshot

    var isOneRun: Bool {
        before.program.process == after.program.process && before.program.started == after.program.started
    }

    init(_ before: InspectorSnapshot, _ after: InspectorSnapshot) { (self.before, self.after) = (before, after) }

    var observers: [Row] {
        rows(
            \.groups, key: { Key(center: $0.center, type: $0.type, place: $0.place, delivery: $0.delivery) },
            count: \.count, waiting: \.waiting, dropped: \.dropped, failed: { ($0.failed ?? 0) &+ ($0.retrying ?? 0) },
            calls: \.calls)
    }

    var types: [Row] {
        rows(
            \.types, key: { Key(center: $0.center, type: $0.name, place: "", delivery: "") }, count: \.observers,
            waiting: \.waiting, dropped: \.drops, failed: \.unobserved, calls: \.posts)
    }

    private func rows<Element>(
        _ elements: (InspectorSnapshot) -> [Element], key: (Element) -> Key, count: (Element) -> Int,
        waiting: (Element) -> Int, dropped: (Element) -> Int, failed: (Element) -> Int?, calls: (Element) -> Int?
    ) -> [Row] {
        // A file can contain a row twice.
        let old = Dictionary(elements(before).map { (key($0), $0) }) { first, _ in first }
        let new = Dictionary(elements(after).map { (key($0), $0) }) { first, _ in first }
        let rows = Set(old.keys).union(new.keys).map { key in
            let (was, now) = (old[key], new[key])
            /// An unknown number hasn't changed.
            func change(_ number: (Element) -> Int?) -> Int {
                let (old, new) = (was.flatMap(number), now.flatMap(number))
                if was != nil, now != nil, old == nil || new == nil { return 0 }
                return (new ?? 0) &- (old ?? 0)
            }
            return Row(
                presence: was == nil ? .new : now == nil ? .gone : .both, name: key.type, place: key.place,
                delivery: key.delivery, before: was.map(count) ?? 0, after: now.map(count) ?? 0,
                waiting: change(waiting), dropped: change(dropped), failed: change(failed), calls: change(calls))
        }
        return rows.filter { $0.isNotable || $0.calls != 0 }.sorted { one, other in
            for (left, right) in zip(one.weights, other.weights) where left != right { return left > right }
            return (one.name, one.place) < (other.name, other.place)
        }
    }

    var newWarnings: [InspectorSnapshot.Warning] {
        let known = Set(before.warnings.filter { $0.recovered == nil }.map(Self.identity))
        return after.warnings.filter { $0.recovered == nil && !known.contains(Self.identity($0)) }
    }

    private static func identity(_ warning: InspectorSnapshot.Warning) -> [String] {
        [warning.kind.rawValue, warning.center, warning.place ?? "", warning.place == nil ? warning.text : ""]
    }

    func lines(width: Int) -> [String] {
        let program = after.program
        let time = short(seconds: abs(after.time - before.time))
        let title = "\(program.name.forTerminal) (\(program.process))  "
        var lines = [
            isOneRun
                ? title + "\(time) between the snapshots"
                : title + "compared with another run, \(before.program.name.forTerminal) (\(before.program.process))",
            "observers \(before.totals.observers) → \(after.totals.observers)  waiting \(before.totals.waiting) → "
                + "\(after.totals.waiting)  dropped \(before.totals.drops) → \(after.totals.drops)  posts "
                + "\(before.totals.posts) → \(after.totals.posts)",
        ]
        lines += newWarnings.flatMap { Screen.lines(of: $0, width) }
        func add(_ rows: [Row], _ columns: [Column<Row>], _ nothing: String) {
            lines.append("")
            if rows.isEmpty { return lines.append(nothing) }
            let table = Table(rows, columns, width: width)
            lines += [table.head] + table.rows
        }
        add(
            observers, Self.columns("OBSERVER", calls: "CALLS", failed: "FAILED"),
            "At every line, the number of observers is unchanged.")
        add(types, Self.columns("NOTIFICATION", calls: "POSTS", failed: "TO NOBODY"), "No notification was posted.")
        if before.omitted.observers > 0 || after.omitted.observers > 0 {
            lines += ["", "Lines that a snapshot leaves out can't be compared."]
        }
        return lines.map { $0.fitted(to: width) }
    }

    private static func columns(_ name: String, calls: String, failed: String) -> [Column<Row>] {
        func signed(_ number: Int) -> String? { number == 0 ? nil : (number > 0 ? "+" : "") + short(number) }
        return [
            .text("CHANGE") { $0.presence == .both ? nil : $0.presence.rawValue },
            .text(name) { $0.name },
            .text("REGISTERED AT", rank: 0, alignment: .end) { $0.place.isEmpty ? nil : $0.place },
            .text("DELIVERY", from: 140, rank: 3) { $0.delivery.isEmpty ? nil : $0.delivery },
            .number("OBSERVERS") { $0.before == $0.after ? nil : "\(short($0.before))→\(short($0.after))" },
            .number("WAITING", from: 60) { signed($0.waiting) },
            .number("DROPPED", from: 60) { signed($0.dropped) },
            .number(failed, from: 80) { signed($0.failed) },
            .number(calls, from: 60) { signed($0.calls) },
        ]
    }
}
