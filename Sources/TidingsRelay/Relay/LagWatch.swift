import Tidings
import TidingsWire

/// When a relay asks how far behind its routes are, and what it was answered last.
struct LagWatch {
    /// The answer; `nil` before there is one.
    private(set) var routes: [LagReport.Route]?

    /// Why there is no newer answer.
    private(set) var error: String?

    /// Who is told each time.
    private(set) var records: [@Sendable (LagReport) -> Void] = []

    private var isBusy = false
    private var next = Duration.zero
    private var wantedUntil = Duration.zero
    private var wasConnected = false

    mutating func add(_ record: @escaping @Sendable (LagReport) -> Void) { records.append(record) }

    /// Notes that somebody reads the answer, who may come again.
    mutating func want(until time: Duration) { wantedUntil = max(wantedUntil, time) }

    /// Begins a look, if it is time for one: at once when a connection has come, as what is known is from before.
    ///
    /// - Parameters:
    ///   - isAlwaysWanted: Whether there are looks though nobody reads or records them.
    ///   - isConnected: Whether there is somebody to ask.
    ///   - interval: The time from one look to the next.
    ///   - now: The time.
    /// - Returns: Whether to look; ``end(_:)`` follows.
    mutating func begin(isAlwaysWanted: Bool, isConnected: Bool, every interval: Duration, at now: Duration) -> Bool {
        guard isAlwaysWanted || !records.isEmpty || now < wantedUntil else { return false }
        guard !isBusy, now >= next || isConnected && !wasConnected else { return false }
        (isBusy, next, wasConnected) = (true, now + interval, isConnected)
        return true
    }

    /// Ends a look.
    ///
    /// - Parameter result: What was found; `nil` if nobody could be asked.
    mutating func end(_ result: Result<[LagReport.Route], RelayFault>?) {
        isBusy = false
        switch result {
        case .success(let routes): (self.routes, error) = (routes, nil)
        case .failure(let fault): error = "\(fault)"
        case nil: error = nil
        }
    }
}

/// What is known of the server's clock, by which the age of what it has stored is measured: that of this program may be wrong.
struct ServerClock {
    /// For how long a measurement counts.
    private static let lifetime = Duration.seconds(600)

    private var measured: (time: Int, at: Duration)?

    /// The server's time now, in seconds since 1970; `nil` if it has to be asked.
    func time(at now: Duration) -> Int? {
        guard let measured, now - measured.at < Self.lifetime else { return nil }
        return measured.time + Int((now - measured.at) / .seconds(1))
    }

    mutating func note(_ time: Int, at now: Duration) { measured = (time, now) }
}
