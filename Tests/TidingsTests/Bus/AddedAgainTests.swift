import TestSupport
import Testing
import Tidings
import TidingsTesting

/// The work of a consumer. Each of its calls waits until the gate `go` is open.
private final class Work: Sendable {
    let begun = Gate()
    let go = Gate()
    let received = ReceivedValues<Int>()
    let overlaps = ReceivedValues<Int>()
    private let running = Atomic(0)

    nonisolated(nonsending) func consume(_ message: Int) async {
        if running.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { overlaps.append(message) }
        begun.open()
        await go.wait()
        await Task.yield()
        received.append(message)
        running.wrappingSubtract(1, ordering: .relaxed)
    }
}

private protocol Worker: MessageConsumer<Int> {
    var work: Work { get }
}

private final class ClassWorker: Worker {
    let work = Work()
    func consume(_ message: Int) async { await work.consume(message) }
}

private actor ActorWorker: Worker {
    let work = Work()
    func consume(_ message: Int) async { await work.consume(message) }
}

@MainActor
private final class MainWorker: Worker {
    let work = Work()
    func consume(_ message: Int) async { await work.consume(message) }
}

private final class ReturningWorker: MessageConsumer {
    let work = Work()
    private let bus: MessageBus<Int>

    init(_ bus: MessageBus<Int>) { self.bus = bus }

    func consume(_ message: Int) async {
        if message == 1 {
            bus.remove(self)
            bus.add(self)
            bus.dispatch(2)
        }
        await work.consume(message)
    }
}

@Suite(.offThePool) struct AddedAgainTests {
    private let bus = MessageBus<Int>()

    enum Kind: CaseIterable { case `class`, actor, main, onMain }

    private func makeWorker(_ kind: Kind) -> any Worker {
        switch kind {
        case .class: ClassWorker()
        case .actor: ActorWorker()
        case .main, .onMain: MainWorker()
        }
    }

    private func add(_ worker: some Worker, _ kind: Kind) {
        if kind == .onMain { bus.add(worker, on: .main) } else { bus.add(worker) }
    }

    /// Yields often enough for an overlapping call to begin.
    private func letOthersRun() async {
        for _ in 0..<1000 { await Task.yield() }
    }

    @Test(arguments: Kind.allCases)
    func `promise 2, order: a consumer that is added again during a call is not called concurrently`(
        _ kind: Kind
    ) async {
        let worker = makeWorker(kind)
        let work = worker.work
        add(worker, kind)
        bus.dispatch(1)
        await work.begun.wait()
        bus.dispatch(2)
        bus.remove(worker)
        add(worker, kind)
        for message in 3...5 { bus.dispatch(message) }
        await letOthersRun()
        #expect(work.received.values.isEmpty)
        work.go.open()
        await work.received.wait(for: 4)
        #expect(work.received.values == [1, 3, 4, 5])
        #expect(work.overlaps.values.isEmpty)
    }

    @Test(arguments: Kind.allCases)
    func `promise 2, order: a consumer that is removed several times during a call is not called concurrently`(
        _ kind: Kind
    ) async {
        let worker = makeWorker(kind)
        let work = worker.work
        add(worker, kind)
        bus.dispatch(1)
        await work.begun.wait()
        for message in 2...100 {
            bus.remove(worker)
            add(worker, kind)
            bus.dispatch(message)
            if message % 10 == 0 { await Task.yield() }
        }
        bus.dispatch(101)
        await letOthersRun()
        work.go.open()
        await work.received.wait(for: 3)
        #expect(work.received.values == [1, 100, 101])
        #expect(work.overlaps.values.isEmpty)
    }

    @Test func `promise 2, order: a consumer can be added again during its own call`() async {
        let worker = ReturningWorker(bus)
        bus.add(worker)
        bus.dispatch(1)
        await worker.work.begun.wait()
        await letOthersRun()
        worker.work.go.open()
        await worker.work.received.wait(for: 2)
        #expect(worker.work.received.values == [1, 2])
        #expect(worker.work.overlaps.values.isEmpty)
    }

    @Test func `promise 2, order: a monitored consumer that is added again is not called concurrently`() async {
        let worker = ClassWorker()
        let attachment = bus.attach(RecordingMonitor())
        bus.add(worker)
        bus.dispatch(1)
        await worker.work.begun.wait()
        bus.remove(worker)
        bus.add(worker)
        bus.dispatch(2)
        await letOthersRun()
        worker.work.go.open()
        await worker.work.received.wait(for: 2)
        #expect(worker.work.received.values == [1, 2])
        #expect(worker.work.overlaps.values.isEmpty)
        withExtendedLifetime(attachment) {}
    }

    @Test func `promise 11, independence: a consumer that was added again does not delay others`() async {
        let (worker, other) = (ClassWorker(), ClassWorker())
        other.work.go.open()
        for consumer in [worker, other] { bus.add(consumer) }
        bus.dispatch(1)
        await worker.work.begun.wait()
        bus.remove(worker)
        bus.add(worker)
        bus.dispatch(2)
        await other.work.received.wait(for: 2)
        worker.work.go.open()
        await worker.work.received.wait(for: 2)
    }

    @Test func `promise 6, lifetime: a consumer that was added again during its last call is released after the call`()
        async
    {
        weak var weakWorker: ClassWorker?
        let work: Work
        do {
            let worker = ClassWorker()
            weakWorker = worker
            work = worker.work
            bus.add(worker)
            bus.dispatch(1)
            await work.begun.wait()
            bus.remove(worker)
            bus.add(worker)
            bus.dispatch(2)
        }
        #expect(weakWorker != nil)
        work.go.open()
        await eventually("the worker is released") { weakWorker == nil }
        #expect(work.overlaps.values.isEmpty)
        bus.dispatch(3)
    }

    @Test
    func `after a bus is deallocated, a consumer that was added again still receives all messages, one at a time`()
        async
    {
        let worker = ClassWorker()
        do {
            let bus = MessageBus<Int>()
            bus.add(worker)
            bus.dispatch(1)
            await worker.work.begun.wait()
            bus.remove(worker)
            bus.add(worker)
            bus.dispatch(2)
        }
        await letOthersRun()
        worker.work.go.open()
        await worker.work.received.wait(for: 2)
        #expect(worker.work.received.values == [1, 2])
        #expect(worker.work.overlaps.values.isEmpty)
    }

    @Test func `promise 2, order: calls never overlap, whichever threads add, remove and dispatch`() async {
        let (workers, bus) = ((0..<3).map { _ in ClassWorker() }, bus)
        for worker in workers { worker.work.go.open() }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<2000 {
                        let worker = workers[(task + round) % workers.count]
                        if round % 2 == 0 { bus.add(worker) } else { bus.remove(worker) }
                        bus.dispatch(round)
                        if round % 16 == 0 { await Task.yield() }
                    }
                }
            }
        }
        for worker in workers {
            bus.remove(worker)
            bus.add(worker)
        }
        bus.dispatch(-1)
        for worker in workers {
            await eventually("the last message is received", { worker.work.received.values.last }, until: { $0 == -1 })
            #expect(worker.work.overlaps.values.isEmpty)
        }
    }
}
