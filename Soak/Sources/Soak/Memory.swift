import Foundation

struct Memory {
    /// In megabytes. More memory ends the run.
    static let limit = 512.0

    /// In megabytes.
    private(set) var samples: [Double] = []

    /// In megabytes; 0 if the system doesn't report it in this way.
    static var resident: Double {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
        return (pages.flatMap { Double($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }

    mutating func look() { samples.append(Memory.resident) }

    /// `part` is a part of the run, from 0 to 1.
    private func median(_ part: Range<Double>) -> Double {
        let count = Double(samples.count)
        let some = samples[Int(part.lowerBound * count)..<max(Int(part.upperBound * count), 1)].sorted()
        return some.isEmpty ? 0 : some[some.count / 2]
    }

    /// The medians of the second fifth and of the last fifth of the run, and the maximum.
    var course: (early: Double, late: Double, highest: Double) {
        (median(0.2..<0.4), median(0.8..<1), samples.max() ?? 0)
    }

    /// Allocators keep memory for 200 threads, so a tenth and 16 megabytes are tolerated.
    var isFlat: Bool { course.late <= course.early * 1.1 + 16 }
}
