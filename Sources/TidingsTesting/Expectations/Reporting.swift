import Testing
import Tidings
import XCTest

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

/// How an expectation says that it is not met.
enum Report {
    /// Fails the test that runs, of Swift Testing or of XCTest, at a place.
    static func issue(_ lines: [String], at site: CallSite) {
        let message = lines.joined(separator: "\n")
        if Test.current == nil {
            // A test of XCTest; elsewhere this does nothing.
            XCTFail(message, file: site.filePath, line: site.line)
        }
        // Of Swift Testing, also for a detached task, which does not know its test. In a run of XCTest this does nothing.
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column)))
    }
}

/// Where an expectation stands.
struct CallSite {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
}

/// Yields until a condition holds, for two seconds at most, so that other threads can do what they are about to do.
///
/// Some things cannot be waited for: a thread releases the owner of an observer a moment after the observer has finished, and a
/// task that a clock has woken up needs a thread to go on. An expectation that is met returns at once; one that is not is only
/// given up after this time.
func letOthersFinish(until condition: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(2)
    var turns = 0
    while !condition(), !Task.isCancelled, ContinuousClock.now < end {
        turns += 1
        // First every task that is ready gets a turn. After that the machine is busy with something else.
        if turns < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
}
