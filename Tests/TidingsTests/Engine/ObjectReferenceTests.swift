import Testing
import Tidings

@Suite(.timeLimit(.minutes(2))) struct ObjectReferenceTests {
    @Test func `a reference yields its object while the object is alive`() {
        var object: Ending? = Ending()
        let reference = Reference(object)
        #expect(reference.isAlive)
        #expect(reference.object === object)
        #expect(reference.ending === object)
        object = nil
        #expect(!reference.isAlive)
        #expect(reference.object == nil)
        #expect(reference.ending == nil)
    }

    @Test func `a reference does not keep its object alive, but the value of its object property does`() {
        let ends = Count()
        var object: Ending? = Ending { _ in ends.add() }
        let reference = Reference(object)
        var held = reference.object
        object = nil
        #expect(ends.number == 0)
        #expect(held != nil)
        held = nil
        #expect(ends.number == 1)
        #expect(!reference.isAlive)
    }

    @Test func `a reference to nil behaves like a reference to a deallocated object`() {
        let reference = Reference(nil)
        #expect(!reference.isAlive)
        #expect(reference.object == nil)
        #expect(!reference.refers(to: Ending()))
    }

    @Test func `a reference does not yield another object at the address of its deallocated object`() {
        for _ in 0..<1000 {
            var object: Ending? = Ending()
            let reference = Reference(object)
            object = nil
            #expect(!reference.refers(to: Ending()))
            #expect(!reference.isAlive)
        }
    }

    @Test func `an object whose deinitialization has begun counts as deallocated`() {
        let looks = Count()
        let owner = Box<ObserverOwner>()
        var object: Ending? = Ending { _ in if owner.value?.isAlive == false { looks.add() } }
        owner.value = object.map { ObserverOwner($0) }
        #expect(owner.value?.isAlive == true)
        object = nil
        #expect(looks.number == 1)
    }

    // Creating a weak reference to an object that is being deinitialized would trap.
    @Test(.disabled(if: ObjectReference.isWeak))
    func `an object that is being deinitialized can be an owner, and counts as deallocated`() {
        let center = NativeNotificationCenter()
        let calls = Count()
        var object: Ending? = Ending { me in center.addObserver(me, for: Note.self) { _, _ in calls.add() } }
        #expect(object != nil)
        object = nil
        #expect(center.post(Note()) == 0)
        #expect(calls.number == 0)
        #expect(center.observations.isEmpty)
    }

    @Test func `threads that follow a reference while its object is deallocated receive the object or nothing`() async {
        for _ in 0..<200 {
            let ends = Count()
            let holder = Box<Ending>()
            holder.value = Ending { _ in ends.add() }
            let reference = Reference(holder.value)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        // The loop is limited, because the task that releases the object may need this thread.
                        for _ in 0..<1000 where reference.ending == nil { return }
                    }
                }
                group.addTask { holder.value = nil }
            }
            #expect(ends.number == 1)
            #expect(!reference.isAlive)
        }
    }
}

private struct Note: TypedNotification {}

private final class Ending: Sendable {
    private let atEnd: @Sendable (Ending) -> Void

    init(_ atEnd: @escaping @Sendable (Ending) -> Void = { _ in }) { self.atEnd = atEnd }
    deinit { atEnd(self) }
}

/// Wraps an `ObjectReference` in a class. `#expect` copies the values that it checks, and an `ObjectReference` can't be
/// copied.
private final class Reference: Sendable {
    private let reference: ObjectReference

    init(_ object: Ending?) { reference = ObjectReference(object) }

    var isAlive: Bool { reference.isAlive }
    var object: AnyObject? { reference.object }
    var ending: Ending? { reference.object(as: Ending.self) }
    func refers(to object: Ending) -> Bool { reference.refers(to: object) }
}

private final class Count: Sendable {
    private let counted = Atomic(0)

    var number: Int { counted.load(ordering: .acquiring) }
    func add() { counted.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

private final class Box<Value: Sendable>: Sendable {
    private let place = Lock<Value?>(nil)

    var value: Value? {
        get { place.withLock { $0 } }
        set {
            // The previous value is released after the unlock.
            let old = place.withLock { place in
                defer { place = newValue }
                return place
            }
            withExtendedLifetime(old) {}
        }
    }
}
