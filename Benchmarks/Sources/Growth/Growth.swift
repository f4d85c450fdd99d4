import ArgumentParser
import Foundation

@main
struct Growth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures each operation with 64 elements, then 128, 256 and so on, and prints the cost per element.")

    @Option(help: "Measure only series whose name contains this. Can be repeated.")
    var filter: [String] = []

    @Flag(help: "End each series earlier. All series then take about a minute.")
    var short = false

    @Flag(help: "Fail if the total time of a series grows faster than n log n in each measurement.")
    var check = false

    func run() async throws {
        let series = Series.all.filter { series in filter.isEmpty || filter.contains { series.name.contains($0) } }
        var failed: [String] = []
        print("nanoseconds of processor time per element, for n elements")
        for series in series {
            var points = await series.measure(seconds: short ? 0.1 : 1)
            // A random disturbance doesn't repeat, but growth does.
            for _ in 0..<3 where Slope(of: points).isTooSteep {
                points = await series.measure(seconds: short ? 0.2 : 1)
            }
            let slope = Slope(of: points)
            print(series.row(points, slope))
            if slope.isTooSteep { failed.append(series.name) }
        }
        if failed.isEmpty { return print("no total time grows faster than n log n") }
        print("faster growth than n log n: \(failed.joined(separator: "; "))")
        if check { throw ExitCode.failure }
    }
}

struct Point {
    let size: Int
    /// The total processor time in nanoseconds, as the minimum of several samples.
    let time: Double

    var forEach: Double { time / Double(size) }
}

struct Slope {
    /// The exponent of the growth: about 1 for n or n log n, 2 for n². It is `nil` if there are too few points.
    let exponent: Double?

    /// Computes the slope over the last four doublings, because constant costs matter less at large sizes. Over only
    /// three doublings, the doubling at which the data exceeds a cache would make the slope too steep.
    init(of points: [Point]) {
        guard points.count >= 5, let last = points.last else {
            exponent = nil
            return
        }
        let first = points[points.count - 5]
        exponent = log2(last.time / first.time) / log2(Double(last.size) / Double(first.size))
    }

    /// The largest permitted exponent. For n log n, about 1.4 was measured when the data exceeded a cache.
    static let most = 1.6

    var isTooSteep: Bool { exponent.map { $0 > Slope.most } ?? false }
}
