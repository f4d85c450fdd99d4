/// How fast a number changes, from looks at it at irregular times: reckoned over one to two seconds, once that long has passed.
struct Meter: Sendable {
    private typealias Mark = (time: Double, number: Int)

    /// The number as it was one to two seconds ago, or at the first look; and the one that takes its place.
    private var base: Mark?
    private var next: Mark?

    /// How much the number grows in a second; `nil` before the second look.
    private(set) var rate: Double?

    /// Notes the number.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - time: The time in seconds.
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
        // Too short a time makes a large rate of a single change.
        if time - from.time >= 0.05 { rate = Double(number - from.number) / (time - from.time) }
    }
}
