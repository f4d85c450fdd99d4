import Tidings

extension RecordingNotificationCenter {
    /// Fails the test, and lists what is held at the gate, as that may be the cause.
    func report(_ lines: [String], at site: CallSite) {
        let held = gate.queued
        let hint = held.isEmpty ? [] : ["The gate is closed, and holds:"] + Listing.lines(held)
        Report.issue(lines + hint, at: site)
    }

    /// Waits for every asynchronous observer; fails the test if it is cancelled before.
    ///
    /// - Returns: Whether all have finished.
    func drain(at site: CallSite) async -> Bool {
        let unfinished = await deliveries.drain()
        if unfinished.isEmpty { return true }
        report(["The test was cancelled before these observers had finished:"] + Listing.lines(unfinished), at: site)
        return false
    }

    /// What was posted, for a report.
    var postedLines: [String] {
        let posts = log
        return posts.isEmpty ? ["Nothing was posted."] : ["Posted were:"] + Listing.lines(posts)
    }
}
