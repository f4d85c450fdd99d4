/// A number of things that come and go, and whether it only grows, as that of what is leaked does.
struct Growth: Sendable {
    /// In how many different seconds it has to have grown, by how many, and how long it may then rest.
    private static let fewestSteps = 5
    private static let fewest = 10
    private static let patience = 30.0

    /// How many there are.
    private(set) var count = 0

    /// Whether it has only grown for some seconds, and goes on.
    private(set) var isGrowing = false

    /// By how many it has grown since it last shrank or rested, and for how long.
    private(set) var grown = (count: 0, time: 0.0)

    private var meter = Meter()
    private var start: (count: Int, time: Double)?
    private var highest = 0
    private var steps = 0
    private var lastStep = 0.0
    private var lastGrowth = 0.0
    private var hasShrunk = false

    /// By how many a second it grows; `nil` before the second look.
    var rate: Double? { meter.rate }

    /// Changes the number between two looks.
    mutating func add(_ change: Int) {
        count += change
        if change < 0 { hasShrunk = true }
    }

    /// Notes the number at a look.
    mutating func note(at time: Double) {
        meter.note(count, at: time)
        let hasRested = count <= highest && (steps == 0 || time - lastGrowth > Self.patience)
        guard let start, !hasShrunk, !hasRested else { return begin(at: time) }
        if count > highest {
            (highest, lastGrowth) = (count, time)
            if time - lastStep >= 1 { (steps, lastStep) = (steps + 1, time) }
        }
        grown = (count - start.count, time - start.time)
        isGrowing = steps >= Self.fewestSteps && grown.count >= Self.fewest
    }

    private mutating func begin(at time: Double) {
        start = (count, time)
        (highest, steps, lastStep, lastGrowth) = (count, 0, time - 1, time)
        (grown, hasShrunk, isGrowing) = ((0, 0), false, false)
    }
}
