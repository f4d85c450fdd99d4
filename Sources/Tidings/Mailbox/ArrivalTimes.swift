/// Records when elements were queued in a mailbox, without reading a clock for each element.
///
/// The time of an element is the last time that was stored for it or for an earlier element. That time is early by a
/// few milliseconds or, in a burst, by the time that 64 elements take to arrive. At most 64 times are stored, at
/// intervals of at least `spacing`. `spacing` doubles when there would be more than 64 times, and is then at most a
/// sixteenth of the oldest element's wait. `spacing` is reset when few of the stored times belong to queued elements.
@usableFromInline
package struct ArrivalTimes: Sendable {
    /// `count` is the number of elements that had been added, including the one for which the clock was read.
    private typealias Mark = (count: Int, time: Int64)

    private static let leastSpacing: Int64 = 1_000_000
    private static let mostMarks = 64
    private static let fewMarks = 16
    private static let longestStride = 64

    @export(implementation) package private(set) var next = Int.max
    private var first: Mark = (count: 0, time: 0)
    private var marks: [Mark] = []
    private var spacing = leastSpacing
    private var lastRead: Int64 = 0
    private var stride = 1

    @usableFromInline package init() {}

    @usableFromInline
    package mutating func begin(_ count: Int, at time: Int64) {
        first = (count: count, time: time)
        if !marks.isEmpty { marks = [] }
        spacing = Self.leastSpacing
        lastRead = time
        stride = 1
        next = count + 1
    }

    /// Notes the time of element number `count`, and stores it if `spacing` has passed since the last stored time. At
    /// least `left` elements have left the queue.
    @usableFromInline
    package mutating func note(_ count: Int, at time: Int64, left: Int) {
        let hasMovedOn = time - lastRead >= Self.leastSpacing
        if hasMovedOn { lastRead = time }
        stride = hasMovedOn ? 1 : min(2 * stride, Self.longestStride)
        next = count + stride
        let few = marks.count - Self.fewMarks
        if few < 0 || marks[few].count <= left + 1 { spacing = Self.leastSpacing }
        if time - (marks.last ?? first).time < spacing { return }
        // Keeps the last stored time at or before the oldest element.
        let gone = marks.prefix { $0.count <= left + 1 }.count - 1
        if gone > 0 { marks.removeFirst(gone) }
        marks.append((count: count, time: time))
        while marks.count > Self.mostMarks { doubleSpacing() }
    }

    private mutating func doubleSpacing() {
        spacing *= 2
        var kept: [Mark] = []
        for mark in marks where kept.isEmpty || mark.time - kept[kept.count - 1].time >= spacing { kept.append(mark) }
        marks = kept
    }

    /// Returns when element number `count` was added; the first element ever is number 1. May be slightly early.
    package func time(of count: Int) -> Int64 {
        marks.last { $0.count <= count }?.time ?? first.time
    }
}
