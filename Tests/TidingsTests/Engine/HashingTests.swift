import Testing

@testable import TidingsEngine

/// The slots of words in the tables of the engine.
@Suite(.timeLimit(.minutes(2))) struct HashingTests {
    @Test(arguments: [0x1000, 0x7FFF_0000, 0xFFFF_0000 as UInt])
    func `32-bit addresses are distributed over a table like 64-bit ones`(base: UInt) {
        for spacing in [16, 32, 48, 64, 4096] as [UInt] {
            let slots = Set((0..<64).map { slot(of: base &+ $0 * spacing, mask: 127) })
            // Of 64 words in 128 slots, 50 would have a slot of their own by chance.
            #expect(slots.count >= 45, "base \(base), spacing \(spacing)")
            #expect(slots.allSatisfy { (0...127).contains($0) })
        }
    }
}
