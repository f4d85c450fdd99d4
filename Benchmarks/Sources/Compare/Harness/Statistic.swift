/// Which of a contender's samples the bars compare.
enum Statistic: Hashable {
    /// The least: for work that is the same in each sample, as whatever disturbs it makes it slower.
    case least
    /// The one in the middle: for work in which chance has a part, as in what threads do to each other.
    case median

    /// By which factor a bar may be missed before `--check` fails.
    var slack: Double {
        switch self {
        case .least: 1.1
        case .median: 4 / 3
        }
    }
}
