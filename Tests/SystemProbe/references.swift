// Tests the engine's assumptions about two functions of Swift's runtime, which no header documents, with the installed
// toolchain. The program prints each assumption that doesn't hold, or "references work".
import CTidingsSystem

final class Thing {
    let atEnd: (UnsafeMutableRawPointer) -> Void
    init(_ atEnd: @escaping (UnsafeMutableRawPointer) -> Void = { _ in }) { self.atEnd = atEnd }
    deinit { atEnd(Unmanaged.passUnretained(self).toOpaque()) }
}

struct Keeper {
    /// The unowned reference keeps the object's memory allocated, as the engine's references do.
    unowned let object: Thing
    let address: UnsafeMutableRawPointer
    init(_ object: Thing) {
        self.object = object
        address = Unmanaged.passUnretained(object).toOpaque()
    }
}

nonisolated(unsafe) var failures = 0
func expect(_ isSo: Bool, _ words: String) {
    if isSo { return }
    failures += 1
    print("failed: \(words)")
}

func live(hasWeakReference: Bool) {
    var end = 0
    var object: Thing? = Thing { address in
        end += 1
        expect(swift_isDeallocating(address), "an object in its deinit is being deallocated")
        expect(swift_tryRetain(address) == nil, "an object in its deinit cannot be retained")
    }
    weak let weakly = hasWeakReference ? object : nil
    guard let keeper = object.map({ Keeper($0) }) else { return }
    expect(!swift_isDeallocating(keeper.address), "a live object is not being deallocated")
    let retained = swift_tryRetain(keeper.address)
    expect(retained == keeper.address, "tryRetain returns the address of a live object")
    object = nil
    expect(end == 0, "a retain keeps the object alive")
    expect(!swift_isDeallocating(keeper.address), "an object that only tryRetain keeps alive is not being deallocated")
    if let retained { Unmanaged<Thing>.fromOpaque(retained).release() }
    expect(end == 1, "the last release deallocates the object")
    // The unowned reference still keeps the memory allocated.
    expect(swift_isDeallocating(keeper.address), "a deallocated object still counts as being deallocated")
    expect(swift_tryRetain(keeper.address) == nil, "a dead object cannot be retained")
    expect((weakly == nil) == true, "a weak reference to a dead object is nil")
    withExtendedLifetime(keeper) {}
}

live(hasWeakReference: false)
live(hasWeakReference: true)
if failures == 0 { print("references work") }
