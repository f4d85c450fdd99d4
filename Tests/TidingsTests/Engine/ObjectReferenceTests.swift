import Synchronization
import Testing
import Tidings

/// References that do not keep their objects alive.
@Suite struct ObjectReferenceTests {
    /// An object that calls a closure when it ends.
    private final class Ending: Sendable {
        private let atEnd: @Sendable (Ending) -> Void
        init(_ atEnd: @escaping @Sendable (Ending) -> Void = { _ in }) { self.atEnd = atEnd }
        deinit { atEnd(self) }
    }

    @Test func `a reference leads to its object as long as that lives`() {
        var object: Ending? = Ending()
        let reference = ObjectReference(object)
        #expect(reference.isAlive)
        #expect(reference.object === object)
        #expect(reference.object(as: Ending.self) === object)
        object = nil
        #expect(!reference.isAlive)
        #expect(reference.object == nil)
        #expect(reference.object(as: Ending.self) == nil)
    }

    @Test func `a reference does not keep its object, and what it leads to does`() {
        let hasEnded = Atomic(false)
        var object: Ending? = Ending { _ in hasEnded.store(true, ordering: .relaxed) }
        let reference = ObjectReference(object)
        var held = reference.object
        object = nil
        #expect(!hasEnded.load(ordering: .relaxed))
        #expect(held != nil)
        held = nil
        #expect(hasEnded.load(ordering: .relaxed))
        #expect(!reference.isAlive)
    }

    @Test func `a reference to no object is that of a dead one`() {
        let reference = ObjectReference(nil)
        #expect(!reference.isAlive)
        #expect(reference.object == nil)
        #expect(!reference.refers(to: Ending()))
    }

    @Test func `an object at the address of a dead one is not the one referred to`() {
        for _ in 0..<1000 {
            var object: Ending? = Ending()
            let reference = ObjectReference(object)
            object = nil
            let next = Ending()
            #expect(!reference.refers(to: next))
            #expect(!reference.isAlive)
        }
    }

    @Test func `an object whose end has begun is dead`() {
        let owner = Lock<ObserverOwner?>(nil)
        let looks = Atomic(0)
        var object: Ending? = Ending { _ in
            if owner.withLock({ $0?.isAlive }) == false { looks.add(1, ordering: .relaxed) }
        }
        owner.withLock { owner in owner = object.map { ObserverOwner($0) } }
        #expect(owner.withLock { $0?.isAlive } == true)
        object = nil
        #expect(looks.load(ordering: .relaxed) == 1)
    }

    #if !canImport(ObjectiveC)
        // To make a weak reference to such an object would trap.
        @Test func `an object that ends can be an owner, and is a dead one`() {
            let center = NativeNotificationCenter()
            let calls = Atomic(0)
            var object: Ending? = Ending { me in
                center.addObserver(me, for: Note.self) { _, _ in calls.add(1, ordering: .relaxed) }
            }
            #expect(object != nil)
            object = nil
            #expect(center.post(Note()) == 0)
            #expect(calls.load(ordering: .relaxed) == 0)
            #expect(center.observations.isEmpty)
        }
    #endif

    @Test func `threads that follow a reference while its object dies get the object or nothing`() async {
        for _ in 0..<200 {
            let hasEnded = Atomic(false)
            let owner = Holder(Ending { _ in hasEnded.store(true, ordering: .releasing) })
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        // No longer than that, as the task that lets go may wait for the thread of this one.
                        for _ in 0..<1000 where owner.reference.object(as: Ending.self) == nil { return }
                    }
                }
                group.addTask { owner.letGo() }
            }
            #expect(hasEnded.load(ordering: .acquiring))
            #expect(!owner.reference.isAlive)
        }
    }

    /// Holds an object until it is told to let go, and refers to it.
    private final class Holder: Sendable {
        let reference: ObjectReference
        private let object: Lock<Ending?>

        init(_ object: Ending) {
            reference = ObjectReference(object)
            self.object = Lock(object)
        }

        func letGo() {
            let object = object.withLock { $0.take() }
            withExtendedLifetime(object) {}
        }
    }
}

private struct Note: TypedNotification {}
