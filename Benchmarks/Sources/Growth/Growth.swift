import ArgumentParser

/// Doubles the size of everything in the library that grows, and says what each operation costs.
@main
struct Growth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Doubles the size of what grows, and says what each operation costs.")

    @Option(help: "Measure only what has this in its name. Can be given more than once.")
    var filter: [String] = []

    @Flag(help: "End each series sooner: a minute in all.")
    var short = false

    @Flag(help: "Fail when something takes longer than n log n in all, each time that it is measured.")
    var check = false

    func run() async throws {
        let series = Series.all.filter { series in filter.isEmpty || filter.contains { series.name.contains($0) } }
        var failed: [String] = []
        print("nanoseconds of processor time for each of n")
        for series in series {
            var points = await series.measure(seconds: short ? 0.1 : 1)
            // What disturbs a measurement does so once; what grows does so each time.
            for _ in 0..<3 where Slope(of: points).isTooSteep {
                points = await series.measure(seconds: short ? 0.2 : 1)
            }
            let slope = Slope(of: points)
            print(series.row(points, slope))
            if slope.isTooSteep { failed.append(series.name) }
        }
        if failed.isEmpty { return print("nothing takes longer than n log n in all") }
        print("longer than n log n in all: \(failed.joined(separator: "; "))")
        if check { throw ExitCode.failure }
    }
}

/// What was measured at one size.
struct Point {
    let size: Int
    /// In all, of the processors, in nanoseconds: the least of several samples.
    let time: Double

    var forEach: Double { time / Double(size) }
}

/// How what something takes in all grows with its size.
struct Slope {
    /// The exponent: about 1 if it is linear or n log n, 2 if it is quadratic.
    let exponent: Double?

    /// From the largest size back to an eighth of it, as constant parts weigh less there; and from that on one more, as caches that are
    /// outgrown in one of the steps make it steep.
    init(of points: [Point]) {
        guard points.count >= 5, let last = points.last else {
            exponent = nil
            return
        }
        let first = points[points.count - 5]
        exponent = (last.time / first.time).logarithm / (Double(last.size) / Double(first.size)).logarithm
    }

    /// Between n log n with caches that are outgrown, which was seen up to 1.4, and what is quadratic.
    static let most = 1.6

    var isTooSteep: Bool { exponent.map { $0 > Slope.most } ?? false }
}

extension Double {
    /// To the base of 2, as near as it takes.
    fileprivate var logarithm: Double {
        let exponent = Double(self.exponent)
        return exponent + (significand - 1) * (1.3465 - 0.3465 * significand)
    }
}
