// What the engine asks of two functions of Swift's runtime that no header promises, tried with the toolchain at hand: it prints what is
// not so, and says "references work" if all is.
import CTidingsSystem

final class Thing {
    let atEnd: (UnsafeMutableRawPointer) -> Void
    init(_ atEnd: @escaping (UnsafeMutableRawPointer) -> Void = { _ in }) { self.atEnd = atEnd }
    deinit { atEnd(Unmanaged.passUnretained(self).toOpaque()) }
}

struct Keeper {
    /// Keeps the memory of the object, as the engine's references do.
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
    print("not so: \(words)")
}

/// Goes through the life of an object.
func live(hasWeakReference: Bool) {
    var end = 0
    var object: Thing? = Thing { address in
        end += 1
        expect(swift_isDeallocating(address), "in its deinit an object is being deallocated")
        expect(swift_tryRetain(address) == nil, "in its deinit an object cannot be retained")
    }
    weak let weakly = hasWeakReference ? object : nil
    guard let keeper = object.map({ Keeper($0) }) else { return }
    expect(!swift_isDeallocating(keeper.address), "a live object is not being deallocated")
    let retained = swift_tryRetain(keeper.address)
    expect(retained == keeper.address, "a live object is retained, and is the object itself")
    object = nil
    expect(end == 0, "what was retained keeps the object")
    expect(!swift_isDeallocating(keeper.address), "an object that only tryRetain keeps is not being deallocated")
    if let retained { Unmanaged<Thing>.fromOpaque(retained).release() }
    expect(end == 1, "its release ends the object")
    // The memory is there, as the unowned reference is.
    expect(swift_isDeallocating(keeper.address), "a dead object is being deallocated")
    expect(swift_tryRetain(keeper.address) == nil, "a dead object cannot be retained")
    expect((weakly == nil) == true, "a weak reference agrees")
    withExtendedLifetime(keeper) {}
}

live(hasWeakReference: false)
live(hasWeakReference: true)
if failures == 0 { print("references work") }
