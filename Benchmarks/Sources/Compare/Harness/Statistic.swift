enum Statistic: Hashable {
    /// The minimum, for work that is the same in each sample, because every disturbance makes it slower.
    case least
    /// The median, for work that depends on chance, such as the interaction of threads.
    case median

    /// The factor by which a result may miss its limit before `--check` fails.
    var slack: Double {
        switch self {
        case .least: 1.1
        case .median: 4 / 3
        }
    }
}
