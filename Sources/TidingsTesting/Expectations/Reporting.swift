import Testing
import Tidings
import XCTest

extension RecordingNotificationCenter {
    /// Reports a failure, with the deliveries that the gate holds, because they may be the cause.
    func report(_ lines: [String], at site: CallSite) {
        let held = gate.queued
        let hint = held.isEmpty ? [] : ["The gate is closed and holds:"] + numberedLines(held)
        site.report(lines + hint)
    }

    func drain(at site: CallSite) async -> Bool {
        let unfinished = await deliveries.drain()
        if unfinished.isEmpty { return true }
        report(["The test was cancelled before these observers had finished:"] + numberedLines(unfinished), at: site)
        return false
    }

    var postedLines: [String] {
        let posts = log
        return posts.isEmpty ? ["Nothing was posted."] : ["Posted:"] + numberedLines(posts)
    }
}

struct CallSite {
    let fileID, filePath: StaticString
    let line, column: UInt

    func report(_ lines: [String]) {
        let message = lines.joined(separator: "\n")
        if Test.current == nil {
            // Reports the failure to XCTest. Elsewhere, this call has no effect.
            XCTFail(message, file: filePath, line: line)
        }
        // Reports the failure to Swift Testing, even from a detached task. In XCTest, this call has no effect.
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
    }
}

/// Polls a condition for at most `patience`, because no event signals that the condition is met. For example, a thread
/// releases an observer's owner shortly after the observer has finished, and a task that a clock has woken up needs a
/// thread to continue. Other ready tasks can run even if `patience` is zero.
func letOthersFinish(_ patience: Duration, until condition: () -> Bool) async {
    let end = ContinuousClock.now + patience
    var turns = 0
    while !condition(), !Task.isCancelled {
        turns += 1
        if turns < 100 {
            await Task.yield()
        } else {
            // After 100 checks, the pauses become longer, because the machine is probably busy with other work.
            guard ContinuousClock.now < end else { return }
            try? await Task.sleep(for: .milliseconds(min(turns - 99, 20)))
        }
    }
}
