import CoreMetrics
import Foundation

/// A metrics backend that prints a line for each series once a second, with the values that a scrape would return:
///
///     metric tidings.posts{notification=Shop.Alpha,posted_at=Shop/Faults.swift:12} total=40.0 last=1.0 mean=1.0 max=1.0
final class PrintedMetrics: MetricsFactory, @unchecked Sendable {  // its only variable is used while the lock is held
    private let lock = NSLock()
    private var series: [String: Series] = [:]

    init() {
        // The cooperative pool can't be used, because a fault may block it.
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 1)
                for one in lock.withLock({ Array(series.values) }) { if let line = one.line { say("metric \(line)") } }
            }
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { make(label, dimensions) }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        make(label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { make(label, dimensions) }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private func make(_ label: String, _ dimensions: [(String, String)]) -> Series {
        let name = "\(label){\(dimensions.map { "\($0)=\($1)" }.joined(separator: ","))}"
        return lock.withLock {
            let known = series[name] ?? Series(name)
            series[name] = known
            return known
        }
    }
}

/// The values of one counter, gauge or timer. The values of a timer are in seconds.
private final class Series: CounterHandler, RecorderHandler, TimerHandler, @unchecked Sendable {
    // Its variables are only used while the lock is held.
    private let name: String
    private let lock = NSLock()
    private var total = 0.0, last = 0.0, most = 0.0, count = 0

    init(_ name: String) { self.name = name }

    var line: String? {
        lock.withLock {
            count == 0 ? nil : "\(name) total=\(total) last=\(last) mean=\(total / Double(count)) max=\(most)"
        }
    }

    func increment(by amount: Int64) { record(Double(amount)) }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func reset() { lock.withLock { (total, last, most, count) = (0, 0, 0, 0) } }

    func record(_ value: Double) {
        lock.withLock {
            total += value
            last = value
            most = max(most, value)
            count += 1
        }
    }
}
