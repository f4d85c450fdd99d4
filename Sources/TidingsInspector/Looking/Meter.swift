/// The rate at which a number changes, over the last one to two seconds, from inspections at irregular times.
struct Meter: Sendable {
    private typealias Mark = (time: Double, number: Int)

    /// `base` is the number one to two seconds ago. `next` is newer, and becomes `base` when it is a second old.
    private var base: Mark?
    private var next: Mark?
    private(set) var rate: Double?

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
