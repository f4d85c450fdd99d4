/// Generates the same numbers in each run. Each number consists of the upper halves of two states of a linear
/// congruential generator.
struct RepeatableGenerator: RandomNumberGenerator {
    private var state: UInt64 = 0x2545_F491_4F6C_DD1D

    mutating func next() -> UInt64 {
        var number: UInt64 = 0
        for _ in 0..<2 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            number = number << 32 | state >> 32
        }
        return number
    }
}
