import Foundation

/// How a bar came out.
struct Outcome {
    let bar: Bar

    /// What the limit is compared with; `nil` if one of the two was not measured.
    let ratio: Double?

    init(_ bar: Bar, in results: [Result]) {
        func median(_ place: Bar.Place) -> Double? {
            results.first {
                $0.workload == place.workload && $0.parameter == place.parameter
                    && $0.subject == place.subject.description
            }?.median
        }
        self.bar = bar
        let ours = median(bar.ours)
        let theirs = bar.theirs.map(median)
        ratio =
            switch (bar.limit, ours, theirs) {
            case (.atMost, let ours?, let theirs??): ours / theirs
            case (.faster, let ours?, let theirs??): theirs / ours
            case (.value, let ours?, nil): ours
            default: nil
            }
    }

    /// Whether the bar was reached; `nil` if it was not measured.
    var isReached: Bool? { ratio.map { bar.limit.admits($0) } }

    /// Whether the bar was missed by more than a third, which a noisy machine does not explain.
    var isFarOff: Bool { ratio.map { !bar.limit.admits($0, slack: 4 / 3) } ?? false }

    var verdict: String {
        switch isReached {
        case true?: "reached"
        case false?: isFarOff ? "FAR OFF" : "missed"
        case nil: "not measured"
        }
    }
}

extension Bar.Limit: CustomStringConvertible {
    func admits(_ ratio: Double, slack: Double = 1) -> Bool {
        switch self {
        case .atMost(let limit), .value(let limit): ratio <= limit * slack
        case .faster(let limit): ratio >= limit / slack
        }
    }

    var description: String {
        switch self {
        case .atMost(let limit): "at most \(limit.formatted())x"
        case .faster(let limit): "\(limit.formatted())x faster"
        case .value(let limit): "at most \(limit.formatted())"
        }
    }
}

extension Bar: CustomStringConvertible {
    /// The bar in words.
    var description: String {
        let measured = "\(ours.workload), \(ours.parameter.formatted()): \(ours.subject)"
        guard let theirs else { return measured }
        let parameter = theirs.parameter == ours.parameter ? "" : " at \(theirs.parameter.formatted())"
        return "\(measured) / \(theirs.subject)\(parameter)"
    }
}
