import CMachine

/// An operation that is performed n times, or on n elements. Each n that is measured is twice the previous one.
struct Series {
    let name: String
    let first: Int
    /// The largest size to measure. A series that reaches the time limit ends at a smaller size.
    let last: Int

    /// Sets up the measurement for a size, and returns the closure that is measured. The closure's result is kept alive
    /// until the measurement has ended.
    let make: (Int) async -> () async -> Any?

    init(
        _ name: String, from first: Int = 64, upTo last: Int = 1 << 20,
        _ make: @escaping (Int) async -> () async -> Any?
    ) {
        self.name = name
        self.first = first
        self.last = last
        self.make = make
    }

    /// Doubles the size until a sample takes an eighth of `seconds`. Uses the minimum of three samples at each size.
    func measure(seconds: Double) async -> [Point] {
        var points: [Point] = []
        var size = first
        while size <= last {
            var least = Double.infinity
            for _ in 0..<3 {
                let body = await make(size)
                let begun = machine_process_nanoseconds()
                let kept = await body()
                let taken = Double(machine_process_nanoseconds() - begun)
                withExtendedLifetime((body, kept)) {}
                least = min(least, taken)
            }
            // Shorter samples are unreliable.
            if least > 20_000 { points.append(Point(size: size, time: least)) }
            if least > seconds * 1e9 / 8 { break }
            size *= 2
        }
        return points
    }

    func row(_ points: [Point], _ slope: Slope) -> String {
        let shown = points.suffix(5).map { "\($0.size): \(Int($0.forEach.rounded()))" }.joined(separator: "  ")
        let exponent = slope.exponent.map { "\(($0 * 100).rounded() / 100)" } ?? "-"
        return name.padded(44) + "n^" + exponent.padded(6) + shown
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
