/// When elements began to wait in a mailbox, as far as that can be known without a clock being read for each of them.
///
/// A coarse clock is read for the first element that comes into an idle mailbox, and then for each one, unless they come so quickly
/// that it has not moved on: then for every second one, every fourth, up to every 64th. So the time of an element is that of the
/// last one before it for which the clock was read, which is earlier by some milliseconds, or by what 64 of a burst took to arrive.
@usableFromInline
package struct ArrivalTimes: Sendable {
    private struct Mark {
        /// How many elements had been added, with the one for which the clock was read.
        let count: Int
        let time: Int64
    }

    /// A millisecond: on some systems the clock is exact.
    private static let resolution: Int64 = 1_000_000
    private static let mostMarks = 64
    private static let longestStride = 64

    /// The clock is read when so many elements have been added.
    @export(implementation) package private(set) var next = Int.max

    /// The mark of the first element that came into the idle mailbox, and those of elements after it.
    private var first = Mark(count: 0, time: 0)
    private var marks: [Mark] = []
    private var stride = 1

    @usableFromInline package init() {}

    /// Notes the first element that comes into the idle mailbox.
    @usableFromInline
    package mutating func begin(_ count: Int, at time: Int64) {
        first = Mark(count: count, time: time)
        if !marks.isEmpty { marks = [] }
        stride = 1
        next = count + 1
    }

    /// Notes an element for which the clock is read.
    ///
    /// - Parameters:
    ///   - count: How many elements have been added, with this one.
    ///   - time: The time.
    ///   - left: How many have left the mailbox, at least.
    @usableFromInline
    package mutating func note(_ count: Int, at time: Int64, left: Int) {
        let last = marks.last ?? first
        let hasMovedOn = time - last.time >= Self.resolution
        stride = hasMovedOn ? 1 : min(2 * stride, Self.longestStride)
        next = count + stride
        if !hasMovedOn { return }
        marks.append(Mark(count: count, time: time))
        if marks.count <= Self.mostMarks { return }
        // Of what has left, the last mark is what the next element is looked up by.
        let gone = marks.lastIndex { $0.count <= left + 1 } ?? 0
        if gone > 0 { marks.removeFirst(gone) }
        if marks.count > Self.mostMarks {
            marks = marks.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        }
    }

    /// When an element began to wait, or shortly before.
    ///
    /// - Parameter count: How many elements had been added, with it.
    /// - Returns: The time of the last mark before it.
    package func time(of count: Int) -> Int64 {
        marks.last { $0.count <= count }?.time ?? first.time
    }
}
