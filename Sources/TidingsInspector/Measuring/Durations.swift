/// A histogram of durations with eight steps for each power of two. Steps without durations aren't stored.
struct Durations: Sendable {
    private struct Step: Sendable {
        let number: UInt16
        var count: UInt32
    }

    private(set) var count = 0
    private(set) var sum = 0.0
    private(set) var longest = 0.0
    /// Sorted by `number`.
    private var steps: [Step] = []

    mutating func add(_ seconds: Double) {
        let seconds = max(0, seconds)
        count += 1
        sum += seconds
        longest = max(longest, seconds)
        let number = Self.number(of: seconds)
        var low = 0
        var high = steps.count
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].number < number { low = middle + 1 } else { high = middle }
        }
        if low < steps.count, steps[low].number == number {
            steps[low].count = steps[low].count == .max ? .max : steps[low].count + 1
        } else {
            steps.insert(Step(number: number, count: 1), at: low)
        }
    }

    mutating func add(_ other: Durations) {
        if other.count == 0 { return }
        count += other.count
        sum += other.sum
        longest = max(longest, other.longest)
        var merged: [Step] = []
        merged.reserveCapacity(steps.count + other.steps.count)
        var mine = steps[...]
        var others = other.steps[...]
        while let first = mine.first ?? others.first {
            let number = min(first.number, others.first?.number ?? first.number)
            var count: UInt64 = 0
            if mine.first?.number == number { count += UInt64(mine.removeFirst().count) }
            if others.first?.number == number { count += UInt64(others.removeFirst().count) }
            merged.append(Step(number: number, count: UInt32(clamping: count)))
        }
        steps = merged
    }

    var histogram: [InspectorSnapshot.Step] {
        var rows: [InspectorSnapshot.Step] = []
        for step in steps {
            let end = Self.end(of: step.number < 16 ? 15 : step.number | 7)
            if rows.last?.end == end {
                rows[rows.count - 1].count += Int(step.count)
            } else {
                rows.append(InspectorSnapshot.Step(end: end, count: Int(step.count)))
            }
        }
        return rows
    }

    var times: InspectorSnapshot.Times? {
        if count == 0 { return nil }
        return InspectorSnapshot.Times(
            count: count, mean: mean, longest: longest, median: quantile(0.5), percentile90: quantile(0.9),
            percentile99: quantile(0.99))
    }

    /// After at least `calls` calls, the longest call is an outlier if it took at least `seconds` seconds, and at least
    /// `times` times as long as the median.
    private static let outlying = (calls: 20, seconds: 0.05, times: 50.0)

    var outlier: (longest: Double, median: Double)? {
        if count < Self.outlying.calls || longest < Self.outlying.seconds { return nil }
        let median = quantile(0.5)
        return longest >= Self.outlying.times * median ? (longest, median) : nil
    }

    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    private func quantile(_ share: Double) -> Double {
        var left = share * Double(steps.reduce(0) { $0 + Int($1.count) })
        for step in steps {
            left -= Double(step.count)
            if left <= 0 { return min(longest, Self.end(of: step.number)) }
        }
        return longest
    }

    /// Returns the number of the step. Below 16 nanoseconds, this is the number of nanoseconds. For longer durations,
    /// it consists of the exponent and the three bits after the leading bit.
    private static func number(of seconds: Double) -> UInt16 {
        let nanoseconds = UInt64(min(seconds * 1e9, 1e18))
        if nanoseconds < 16 { return UInt16(nanoseconds) }
        let power = 63 - nanoseconds.leadingZeroBitCount
        return UInt16(power * 8) + UInt16(nanoseconds >> UInt64(power - 3) & 7)
    }

    private static func end(of number: UInt16) -> Double {
        if number < 16 { return Double(number + 1) * 1e-9 }
        let power = number / 8
        return Double(UInt64(number % 8 + 9) << UInt64(power - 3)) * 1e-9
    }
}
