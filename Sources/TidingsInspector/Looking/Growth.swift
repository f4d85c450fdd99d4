struct Growth: Sendable {
    /// A count is growing if it grew in `fewestSteps` different seconds, by at least `fewest` in total. After a
    /// decrease, or after `patience` seconds without growth, the seconds and the total start again from 0; see `begin`.
    private static let fewestSteps = 5
    private static let fewest = 10
    private static let patience = 30.0

    private(set) var count = 0
    private(set) var isGrowing = false
    private(set) var grown = (count: 0, time: 0.0)
    private var meter = Meter()
    private var start: (count: Int, time: Double)?
    private var highest = 0
    private var steps = 0
    private var lastStep = 0.0
    private var lastGrowth = 0.0
    private var hasShrunk = false

    var rate: Double? { meter.rate }

    mutating func add(_ change: Int) {
        count += change
        if change < 0 { hasShrunk = true }
    }

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
