import Foundation

/// The memory that the process uses during its run.
struct Memory {
    /// The limit in megabytes, which ends the run.
    static let limit = 512.0

    /// The samples in megabytes.
    private(set) var samples: [Double] = []

    /// The memory in use now, in megabytes; 0 if the system doesn't report it in this way.
    static var resident: Double {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
        return (pages.flatMap { Double($0) } ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }

    mutating func look() { samples.append(Memory.resident) }

    /// The median of the samples in a part of the run.
    private func median(_ part: Range<Double>) -> Double {
        let count = Double(samples.count)
        let some = samples[Int(part.lowerBound * count)..<max(Int(part.upperBound * count), 1)].sorted()
        return some.isEmpty ? 0 : some[some.count / 2]
    }

    /// The memory early in the run, after the first fifth, the memory at the end, and the highest memory.
    var course: (early: Double, late: Double, highest: Double) {
        (median(0.2..<0.4), median(0.8..<1), samples.max() ?? 0)
    }

    /// Whether the memory at the end is no more than at the beginning. Allocators keep memory for 200 threads, so a
    /// tenth and 16 megabytes are tolerated.
    var isFlat: Bool { course.late <= course.early * 1.1 + 16 }
}
