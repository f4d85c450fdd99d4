/// Durations that were measured, as a histogram: eight steps between one power of two and the next, and only those that occur.
struct Durations: Sendable {
    private struct Step: Sendable {
        let number: UInt16
        var count: UInt32
    }

    private(set) var count = 0
    private var sum = 0.0
    private var longest = 0.0

    /// In the order of their numbers. Calls of one observer take few different times, so there are few.
    private var steps: [Step] = []

    /// Adds a duration, in seconds.
    mutating func add(_ seconds: Double) {
        let seconds = max(0, seconds)
        count += 1
        sum += seconds
        longest = max(longest, seconds)
        let number = Self.number(of: seconds)
        // The first that is not below.
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

    /// The durations in a snapshot; `nil` if there are none.
    var times: Snapshot.Times? {
        if count == 0 { return nil }
        return Snapshot.Times(
            count: count, mean: mean, longest: longest, median: quantile(0.5), percentile90: quantile(0.9),
            percentile99: quantile(0.99))
    }

    /// The mean in seconds; zero if there are none.
    var mean: Double { count == 0 ? 0 : sum / Double(count) }

    private func quantile(_ share: Double) -> Double {
        var left = share * Double(steps.reduce(0) { $0 + Int($1.count) })
        for step in steps {
            left -= Double(step.count)
            if left <= 0 { return min(longest, Self.end(of: step.number)) }
        }
        return longest
    }

    /// The step of a duration: its nanoseconds' power of two, and the three bits behind the first one.
    private static func number(of seconds: Double) -> UInt16 {
        let nanoseconds = UInt64(min(seconds * 1e9, 1e18))
        if nanoseconds < 16 { return UInt16(nanoseconds) }
        let power = 63 - nanoseconds.leadingZeroBitCount
        return UInt16(power * 8) + UInt16(nanoseconds >> UInt64(power - 3) & 7)
    }

    /// What the durations of a step do not exceed, in seconds.
    private static func end(of number: UInt16) -> Double {
        if number < 16 { return Double(number + 1) * 1e-9 }
        let power = number / 8
        return Double(UInt64(number % 8 + 9) << UInt64(power - 3)) * 1e-9
    }
}
