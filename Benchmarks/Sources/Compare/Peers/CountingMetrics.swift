import CoreMetrics
import Synchronization

/// A metrics backend that adds values to atomic numbers, which is the cheapest way to record them.
final class CountingMetrics: MetricsFactory {
    private final class Sum: CounterHandler, FloatingPointCounterHandler, RecorderHandler, TimerHandler, MeterHandler {
        private let sum = Atomic<Int64>(0), count = Atomic<Int64>(0)

        func increment(by amount: Int64) { sum.add(amount, ordering: .relaxed) }
        func increment(by amount: Double) { increment(by: Int64(amount)) }
        func reset() { sum.store(0, ordering: .relaxed) }
        func recordNanoseconds(_ duration: Int64) { record(duration) }
        func record(_ value: Double) { record(Int64(value)) }

        func record(_ value: Int64) {
            sum.add(value, ordering: .relaxed)
            count.add(1, ordering: .relaxed)
        }

        func set(_ value: Int64) { sum.store(value, ordering: .relaxed) }
        func set(_ value: Double) { set(Int64(value)) }
        func increment(by amount: Float) { increment(by: Int64(amount)) }
        func decrement(by amount: Double) { increment(by: -Int64(amount)) }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { Sum() }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { Sum() }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler { Sum() }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { Sum() }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { Sum() }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
