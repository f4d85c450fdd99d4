/// How a bar came out.
struct Outcome {
    let bar: Bar

    /// What the limit is compared with.
    let ratio: Double

    /// Whether a thread waited for a core in most samples of one of the two, so that the ratio says little.
    let isDisturbed: Bool

    /// Compares what was measured; `nil` if one of the two was not.
    init?(_ bar: Bar, in results: [Result]) {
        func result(_ place: Bar.Place) -> Result? {
            results.first {
                $0.workload == place.workload && $0.parameter == place.parameter
                    && $0.subject == place.subject.description
            }
        }
        guard let ours = result(bar.ours) else { return nil }
        self.bar = bar
        guard let place = bar.theirs else {
            ratio = ours.median
            isDisturbed = ours.isDisturbed
            return
        }
        guard let theirs = result(place) else { return nil }
        isDisturbed = ours.isDisturbed || theirs.isDisturbed
        ratio = if case .faster = bar.limit { theirs.median / ours.median } else { ours.median / theirs.median }
    }

    /// Whether the bar was reached, or missed by no more than a third.
    var isCloseEnough: Bool { bar.limit.admits(ratio, slack: 4 / 3) }

    /// Whether it was missed by more than that, though nothing was disturbed.
    var isFarOff: Bool { !isDisturbed && !isCloseEnough }

    var verdict: String {
        if bar.limit.admits(ratio) { return "reached" }
        return isDisturbed ? "no core" : isFarOff ? "FAR OFF" : "missed"
    }
}
