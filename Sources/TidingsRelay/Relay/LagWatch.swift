struct LagWatch {
    private(set) var routes: [LagReport.Route]?
    private(set) var error: String?
    var records: [@Sendable (LagReport) -> Void] = []
    private var isBusy = false
    private var next = Duration.zero
    private var wantedUntil = Duration.zero
    private var wasConnected = false

    mutating func want(until time: Duration) { wantedUntil = max(wantedUntil, time) }

    /// Returns whether a query is due. If so, the caller must then call ``end(_:)``, even if there is no connection.
    mutating func begin(isAlwaysWanted: Bool, isConnected: Bool, every interval: Duration, at now: Duration) -> Bool {
        if !isConnected { wasConnected = false }
        guard isAlwaysWanted || !records.isEmpty || now < wantedUntil else { return false }
        guard !isBusy, now >= next || isConnected && !wasConnected else { return false }
        (isBusy, next, wasConnected) = (true, now + interval, isConnected)
        return true
    }

    /// Records the result of the query, or `nil` if there was no connection.
    mutating func end(_ result: Result<[LagReport.Route], RelayFault>?) {
        isBusy = false
        switch result {
        case .success(let routes): (self.routes, error) = (routes, nil)
        case .failure(let fault): error = "\(fault)"
        case nil: error = nil
        }
    }
}

/// The server's time. The age of stored messages is computed with it, because this program's clock may be wrong.
struct ServerClock {
    private static let lifetime = Duration.seconds(600)

    private var measured: (time: Int, at: Duration)?

    func time(at now: Duration) -> Int? {
        guard let measured, now - measured.at < Self.lifetime else { return nil }
        return measured.time + Int((now - measured.at) / .seconds(1))
    }

    mutating func note(_ time: Int, at now: Duration) { measured = (time, now) }
}
