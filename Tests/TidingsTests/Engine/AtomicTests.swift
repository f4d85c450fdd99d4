import TestSupport
import Testing

@testable import TidingsEngine

struct AtomicTests {
    private enum Phase: UInt8, AtomicByteValue {
        case before, during, after
    }

    @Test func `a load returns the stored value, whatever its type`() {
        let signed = Atomic(-1), wide = Atomic(UInt64.max), flag = AtomicByte(true), phase = AtomicByte(Phase.after)
        #expect(signed.load(ordering: .relaxed) == -1)
        #expect(wide.load(ordering: .acquiring) == .max)
        #expect(flag.load(ordering: .sequentiallyConsistent) == true)
        #expect(phase.load(ordering: .relaxed) == .after)
        signed.store(.min, ordering: .releasing)
        flag.store(false, ordering: .sequentiallyConsistent)
        phase.store(.during, ordering: .relaxed)
        #expect(signed.load(ordering: .relaxed) == .min)
        #expect(flag.load(ordering: .relaxed) == false)
        #expect(phase.load(ordering: .relaxed) == .during)
    }

    @Test func `an address can be nil`() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        defer { unsafe memory.deallocate() }
        let place = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
        #expect(unsafe place.load(ordering: .relaxed) == nil)
        unsafe place.store(memory, ordering: .releasing)
        #expect(unsafe place.exchange(nil, ordering: .acquiringAndReleasing) == memory)
        #expect(unsafe place.load(ordering: .relaxed) == nil)
    }

    @Test func `a compare-exchange stores the new value only if the current value equals the expected one`() {
        let word = Atomic<UInt>(1), half = AtomicUInt32(1)
        let orders: [AtomicUpdateOrdering] = [
            .relaxed, .acquiring, .releasing, .acquiringAndReleasing, .sequentiallyConsistent,
        ]
        for (step, order) in orders.enumerated() {
            let number = UInt(step) + 1
            #expect(word.compareExchange(expected: 0, desired: 9, ordering: order) == (false, number))
            #expect(word.compareExchange(expected: number, desired: number + 1, ordering: order) == (true, number))
            #expect(
                half.compareExchange(expected: UInt32(number), desired: UInt32(number) + 1, ordering: order)
                    == (true, UInt32(number)))
        }
        #expect(word.exchange(0, ordering: .relaxed) == 6)
        #expect(half.exchange(0, ordering: .relaxed) == 6)
    }

    @Test func `additions and subtractions wrap around, and bitwise operations set and clear bits`() {
        let number = Atomic(Int.max), half = AtomicUInt32(0), bits = Atomic<UInt64>(0b0110)
        #expect(number.wrappingAdd(1, ordering: .relaxed) == (.max, .min))
        #expect(number.wrappingSubtract(1, ordering: .relaxed) == (.min, .max))
        #expect(half.wrappingSubtract(1, ordering: .relaxed) == (0, .max))
        #expect(half.wrappingAdd(2, ordering: .relaxed) == (.max, 1))
        #expect(bits.bitwiseOr(0b0001, ordering: .acquiringAndReleasing) == (0b0110, 0b0111))
        #expect(bits.bitwiseAnd(0b0101, ordering: .acquiringAndReleasing) == (0b0111, 0b0101))
    }

    @Test func `an atomic variable has the size of its value and a stable address`() {
        #expect(MemoryLayout<Atomic<Int>>.size == 8)
        #if ALLOCATED_ATOMICS
            // Each variable only stores the address of its allocated memory.
            #expect(MemoryLayout<AtomicUInt32>.size == 8)
            #expect(MemoryLayout<AtomicByte<Bool>>.size == 8)
        #else
            #expect(MemoryLayout<AtomicUInt32>.size == 4)
            #expect(MemoryLayout<AtomicByte<Bool>>.size == 1)
        #endif
        let count = Atomic(0)
        let address = unsafe count.address
        count.wrappingAdd(1, ordering: .relaxed)
        #expect(unsafe count.address == address && address.pointee == 1)
    }

    private final class Shared: @unchecked Sendable {  // `text` is written once, before it is published
        let count = Atomic(0)
        let published = AtomicByte(false)
        var text = ""
    }

    @Test func `additions by several threads are not lost, and published values are visible`() async {
        let shared = Shared()
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10_000 { shared.count.wrappingAdd(1, ordering: .relaxed) }
                    let isPublished = await eventually("the text is published") {
                        shared.published.load(ordering: .acquiring)
                    }
                    if isPublished { #expect(shared.text == "written") }
                }
            }
            group.addTask {
                shared.text = "written"
                shared.published.store(true, ordering: .releasing)
            }
        }
        #expect(shared.count.load(ordering: .relaxed) == 40_000)
    }
}
