import Tidings

final class LivingClosures: Sendable {
    private let numbers = Lock<Set<Int>>([])

    var all: Set<Int> { numbers.withLock { $0 } }

    func contains(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }

    /// Returns an object that the observer's closure must capture. When the closure is released, so is the object.
    func closure(of number: Int) -> Closure {
        numbers.withLock { _ = $0.insert(number) }
        return Closure(number, among: self)
    }

    final class Closure: Sendable {
        private let number: Int
        private let living: LivingClosures
        private let wasCalled = AtomicByte(false)

        fileprivate init(_ number: Int, among living: LivingClosures) {
            self.number = number
            self.living = living
        }

        deinit { living.numbers.withLock { _ = $0.remove(number) } }

        func isFirstCall() -> Bool { !wasCalled.exchange(true, ordering: .relaxed) }
    }
}
