import Testing

@testable import TidingsEngine

@Suite(.timeLimit(.minutes(2))) struct HashingTests {
    @Test(arguments: [0x1000, 0x7FFF_0000, 0xFFFF_0000 as UInt])
    func `32-bit addresses are distributed over a table as evenly as 64-bit addresses`(base: UInt) {
        for spacing in [16, 32, 48, 64, 4096] as [UInt] {
            let slots = Set((0..<64).map { slot(of: base &+ $0 * spacing, mask: 127) })
            // Random numbers instead of hashes would put 64 words into about 50 of the 128 slots.
            #expect(slots.count >= 45, "base \(base), spacing \(spacing)")
            #expect(slots.allSatisfy { (0...127).contains($0) })
        }
    }
}
