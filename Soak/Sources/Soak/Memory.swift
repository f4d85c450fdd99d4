import Foundation

struct Memory {
    /// The largest permitted resident memory, in megabytes. If there is more, the run ends.
    static let limit = 512.0

    /// The samples of the resident memory, in megabytes.
    private(set) var samples: [Double] = []

    /// The resident memory in megabytes; 0 if the system has no `/proc`.
    static var resident: Double {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
        return (pages.flatMap { Double($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }

    mutating func look() { samples.append(Memory.resident) }

    /// Returns the median of the samples in a part of the run. The whole run is `0..<1`.
    private func median(_ part: Range<Double>) -> Double {
        // A very short run ends before the first sample.
        if samples.isEmpty { return 0 }
        let count = Double(samples.count)
        let some = samples[Int(part.lowerBound * count)..<max(Int(part.upperBound * count), 1)].sorted()
        return some[some.count / 2]
    }

    /// The medians of the second fifth and of the last fifth of the run, and the maximum.
    var course: (early: Double, late: Double, highest: Double) {
        (median(0.2..<0.4), median(0.8..<1), samples.max() ?? 0)
    }

    /// Whether the memory hasn't grown. Allocators keep memory for 200 threads, so growth of a tenth and 16 megabytes
    /// is tolerated.
    var isFlat: Bool { course.late <= course.early * 1.1 + 16 }
}
