/// Counts lines and bytes, and measures the longest time in which nothing came.
actor Statistics {
    /// What is counted of one stream.
    struct Count: Equatable {
        var lines = 0
        var bytes = 0
    }

    /// The lines of output.
    private(set) var output = Count()
    /// The lines of errors.
    private(set) var errors = Count()
    /// The longest time between two lines, before the first one, or after the last one.
    private(set) var longestSilence = Duration.zero

    private var lastSound: ContinuousClock.Instant

    /// Starts to count.
    ///
    /// - Parameter time: When the silence begins that the first line ends.
    init(startingAt time: ContinuousClock.Instant) { lastSound = time }

    /// Counts a line.
    func count<Note: LineNotification>(_ note: Note) {
        switch Note.stream {
        case .output: count(note.line, in: &output)
        case .errors: count(note.line, in: &errors)
        }
    }

    /// Takes the end as the end of the last silence.
    func end(at time: ContinuousClock.Instant) { breakSilence(at: time) }

    private func count(_ line: Line, in count: inout Count) {
        count.lines += 1
        count.bytes += line.byteCount
        breakSilence(at: line.time)
    }

    private func breakSilence(at time: ContinuousClock.Instant) {
        longestSilence = max(longestSilence, lastSound.duration(to: time))
        lastSound = max(lastSound, time)
    }
}
