struct Outcome {
    let bar: Bar

    let ratio: Double

    let statistic: Statistic

    /// Whether threads waited for a core so often that the ratio is unreliable.
    let isDisturbed: Bool

    init?(_ bar: Bar, in results: [Result]) {
        func result(_ place: Bar.Place) -> Result? {
            results.first {
                $0.workload == place.workload && $0.parameter == place.parameter
                    && $0.subject == place.subject.description
            }
        }
        guard let ours = result(bar.ours) else { return nil }
        self.bar = bar
        statistic = ours.statistic
        guard let place = bar.theirs else {
            ratio = ours.figure
            isDisturbed = ours.isDisturbed
            return
        }
        guard let theirs = result(place) else { return nil }
        isDisturbed = ours.isDisturbed || theirs.isDisturbed
        ratio = if case .faster = bar.limit { theirs.figure / ours.figure } else { ours.figure / theirs.figure }
    }

    var isCloseEnough: Bool { bar.limit.admits(ratio, slack: statistic.slack) }

    var isFarOff: Bool { !isDisturbed && !isCloseEnough }

    var verdict: String {
        if bar.limit.admits(ratio) {
            guard let goal = bar.goal, !goal.admits(ratio) else { return "reached" }
            return "held; the goal is \(goal)"
        }
        return isDisturbed ? "no core" : isFarOff ? "FAR OFF" : "missed"
    }
}

extension Outcome: CustomStringConvertible {
    var description: String { "\(bar): measured \(Table.number(ratio)), but the bar is \(bar.limit)" }
}
