import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import TestSupport
import Testing
import Tidings
import TidingsServer
import TidingsTesting
import UnixSignals

private struct LateServer: Service {
    let center: NativeNotificationCenter

    func run() async throws {
        try await gracefulShutdown()
        center.post(Counted(number: 1))
    }
}

@Suite(.timeLimit(.minutes(2))) struct ObserverServiceTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()

    @Test func `a graceful shutdown finishes the group, and no posted notification is lost`() async throws {
        let (actor, seen, left) = (StoppedActor(), ReceivedValues<Int>(), ReceivedValues<Int>())
        let group = ObserverGroup("orders", finishing: center)
        center.addObserver(actor, on: .actor, for: Counted.self) { _, note in seen.append(note.number) }.store(
            in: group)
        let service = ObserverService(group, finishingWithin: .seconds(1), clock: clock) { left.append($0.count) }
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup { tasks in
                tasks.addTask { try await service.run() }
                for number in 1...3 { center.post(Counted(number: number)) }
                trigger.triggerGracefulShutdown()
                await actor.executor.finish { seen.count == 3 }
                try await tasks.waitForAll()
            }
        }
        #expect(seen.values == [1, 2, 3])
        #expect(left.count == 0)
        #expect(center.post(Counted(number: 4)) == 0)
        #expect("\(service)".contains("orders"))
    }

    @Test func `in a service group, the observers finish after the server that posts`() async throws {
        let (actor, seen, logger) = (StoppedActor(), ReceivedValues<Int>(), Logger(label: "ObserverServiceTests"))
        let group = ObserverGroup("orders", finishing: center)
        center.addObserver(actor, on: .actor, for: Counted.self) { _, note in seen.append(note.number) }.store(
            in: group)
        let server = LateServer(center: center)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup { tasks in
                tasks.addTask {
                    let service = ObserverService(group, finishingWithin: .seconds(20)) { left in
                        for observer in left { logger.error("gave up on \(observer)") }
                    }
                    try await ServiceGroup(
                        services: [service, server], gracefulShutdownSignals: [.sigterm], logger: logger
                    ).run()
                }
                trigger.triggerGracefulShutdown()
                await actor.executor.finish { seen.count == 1 }
                try await tasks.waitForAll()
            }
        }
        #expect(seen.values == [1])
    }

    @Test func `when the time limit passes, the service reports the unfinished observers`() async throws {
        let (actor, left) = (StoppedActor(), ReceivedValues<[ObserverGroup.Unfinished]>())
        let group = ObserverGroup("orders", finishing: center)
        center.addObserver(actor, on: .actor, for: Counted.self, line: 7) { _, _ in }.store(in: group)
        let service = ObserverService(group, finishingWithin: .zero) { left.append($0) }
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup { tasks in
                tasks.addTask { try await service.run() }
                center.post(Counted(number: 1))
                trigger.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
        }
        #expect(left.values.first?.map(\.place.line) == [7])
        #expect(left.values.first?.map(\.queued) == [1])
        await actor.executor.finish { true }
    }

    @Test func `a service with failsIfUnfinished ends its service group with an error that names unfinished observers`()
        async throws
    {
        let (begun, go) = (Gate(), Gate())
        let group = ObserverGroup("orders", finishing: center)
        center.addObserver(on: .task, for: Counted.self, line: 7) { _ in
            begun.open()
            await go.wait()
        }
        .store(in: group)
        center.addObserver(for: Counted.self, line: 8) { _ in }.store(in: group)
        center.post(Counted(number: 1))
        await begun.wait()
        let service = ObserverService(group, finishingWithin: .zero, failsIfUnfinished: true)
        let error = await #expect(throws: ObserverService.UnfinishedError.self) {
            try await testGracefulShutdown { trigger in
                let services = ServiceGroup(services: [service], logger: Logger(label: "ObserverServiceTests"))
                trigger.triggerGracefulShutdown()
                try await services.run()
            }
        }
        #expect(error?.unfinished.map(\.place.line) == [7])
        #expect(error?.description.hasPrefix("the group \"orders\" gave up on AdapterTests.Counted, in a task") == true)
        go.open()
    }

    @Test func `a service with failsIfUnfinished doesn't fail if all observers have finished`() async throws {
        let group = ObserverGroup("orders", finishing: center)
        center.addObserver(for: Counted.self) { _ in }.store(in: group)
        let service = ObserverService(group, finishingWithin: .seconds(5), clock: clock, failsIfUnfinished: true)
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await service.run()
        }
    }

    @Test
    func `cancelling a service's task finishes its group without waiting for queued notifications`() async throws {
        let actor = StoppedActor()
        let group = ObserverGroup("orders", finishing: center)
        center.addObserver(actor, on: .actor, for: Counted.self) { _, _ in }.store(in: group)
        center.post(Counted(number: 1))
        let service = ObserverService(group, finishingWithin: .seconds(1), clock: clock)
        let running = Task { try await service.run() }
        running.cancel()
        _ = await running.result
        #expect(center.post(Counted(number: 2)) == 0)
        await actor.executor.finish { true }
    }
}
