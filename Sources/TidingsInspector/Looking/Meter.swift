/// The rate of change of a number over the last one to two seconds, or since the last inspection if that is longer ago.
struct Meter: Sendable {
    private typealias Mark = (time: Double, number: Int)

    /// `rate` is the change per second since `base`. `next` is newer, and becomes `base` when it is a second old.
    private var base: Mark?
    private var next: Mark?
    private(set) var rate: Double?
    /// The rate of a count, which can't be negative. A count only falls if it starts again from 0, or if its subject is
    /// gone. The rate is 0 then.
    var rateOfCount: Double? { rate.map { max(0, $0) } }

    mutating func note(_ number: Int, at time: Double) {
        guard let next else {
            self.next = (time, number)
            return
        }
        if time - next.time >= 1 {
            base = next
            self.next = (time, number)
        }
        let from = base ?? next
        // Over a very short time, one change would give a large rate.
        if time - from.time >= 0.05 { rate = Double(number - from.number) / (time - from.time) }
    }
}
