import Foundation

/// How much memory the process has in use, in the course of its run.
struct Memory {
    /// More than this, in megabytes, ends the run.
    static let limit = 512.0

    /// In megabytes, one for each look.
    private(set) var samples: [Double] = []

    /// What is in use now, in megabytes; 0 where the system does not say it in this way.
    static var resident: Double {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
        return (pages.flatMap { Double($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }

    mutating func look() { samples.append(Memory.resident) }

    /// What is typical of a part of the run: the median of its samples.
    private func median(_ part: Range<Double>) -> Double {
        let count = Double(samples.count)
        let some = samples[Int(part.lowerBound * count)..<max(Int(part.upperBound * count), 1)].sorted()
        return some.isEmpty ? 0 : some[some.count / 2]
    }

    /// What the run began with, after a fifth of it, and what it ended with.
    var course: (early: Double, late: Double, highest: Double) {
        (median(0.2..<0.4), median(0.8..<1), samples.max() ?? 0)
    }

    /// Whether no more was in use in the end than in the beginning, but for what allocators keep for 200 threads: a tenth, and 16
    /// megabytes.
    var isFlat: Bool { course.late <= course.early * 1.1 + 16 }
}
