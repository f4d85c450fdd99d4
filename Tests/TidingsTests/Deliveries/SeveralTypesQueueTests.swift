import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct First: TypedNotification, Sendable {}
private struct Second: TypedNotification, Sendable {}

private final class KeepingCenter: TypedNotificationCenter {
    private let base = NativeNotificationCenter()
    private let kept = Lock<[ObserverRegistration]>([])

    var registrations: [ObserverRegistration] { kept.withLock { $0 } }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        kept.withLock { $0.append(registration) }
        return base.observe(type, sender: sender, registration: registration, using: observer)
    }
}

/// A sequence of several types has one queue, which the observations of all its types share.
@Suite(.timeLimit(.minutes(2))) struct SeveralTypesQueueTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()

    @Test func `a drain waits until the consumer has handled the notifications of all types`() async {
        let notes = center.notifications(of: First.self, Second.self)
        let (begun, go, handled) = (Gate(), Gate(), ReceivedValues<Int>())
        let reader = Task {
            for await _ in notes {
                begun.open()
                await go.wait()
                handled.append(1)
            }
        }
        center.post(First())
        center.post(Second())
        await begun.wait()
        let drain = Task { [center, clock] in
            let left = await center.drain(within: .seconds(1), clock: clock)
            #expect(handled.count == 2)
            return left
        }
        await clock.waitForSleepers()
        go.open()
        #expect(await drain.value.isEmpty)
        reader.cancel()
    }

    @Test func `if nothing reads the sequence, a drain returns the observation of each type`() async {
        let notes = center.notifications(of: First.self, Second.self, line: 7)
        center.post(First())
        for _ in 0..<2 {
            let drain = Task { [center, clock] in await center.drain(within: .seconds(1), clock: clock) }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            let left = await drain.value
            #expect(left.map(\.place.line) == [7, 7])
            #expect(Set(left.map(\.subject)) == [NotificationSubject(First.self), NotificationSubject(Second.self)])
        }
        withExtendedLifetime(notes) {}
    }

    @Test func `until the sequence has been read, a finish returns the observation of each type`() async {
        let notes = center.notifications(of: First.self, Second.self, line: 7)
        center.post(First())
        let left = await center.finish(within: .zero)
        #expect(left.map(\.place.line) == [7, 7])
        #expect(Set(left.map(\.subject)) == [NotificationSubject(First.self), NotificationSubject(Second.self)])
        var iterator = notes.makeAsyncIterator()
        #expect(await iterator.next() is First)
        #expect(await iterator.next() == nil)
        #expect(await center.finish(within: .zero).isEmpty)
    }

    @Test func `a poster waits for room even if the queue is full of notifications of another type`() async throws {
        let notes = center.notifications(of: First.self, Second.self, buffering: .backPressure(1))
        #expect(try await center.postWaitingForRoom(First()) == 1)
        let poster = Task { [center, clock] in
            try await center.postWaitingForRoom(Second(), within: .seconds(600), clock: clock)
        }
        await clock.waitForSleepers()
        await #expect(throws: NoRoomError.self) {
            try await center.postWaitingForRoom(First(), within: .zero)
        }
        var iterator = notes.makeAsyncIterator()
        #expect(await iterator.next() is First)
        #expect(try await poster.value == 1)
        #expect(await iterator.next() is Second)
    }

    @Test func `a sequence's back-pressure limit still applies if one of its types is listed twice`() async throws {
        let notes = center.notifications(of: First.self, First.self, Second.self, buffering: .backPressure(1))
        #expect(try await center.postWaitingForRoom(First()) == 2)
        var iterator = notes.makeAsyncIterator()
        for _ in 0..<2 { #expect(await iterator.next() is First) }
        #expect(try await center.postWaitingForRoom(Second(), within: .zero) == 1)
        await #expect(throws: NoRoomError.self) {
            try await center.postWaitingForRoom(Second(), within: .zero)
        }
        #expect(await iterator.next() is Second)
    }

    @Test func `a sequence ends if a custom center discards the queue of the sequence`() async {
        let center = KeepingCenter()
        let (one, several) = (center.notifications(of: First.self), center.notifications(of: First.self, Second.self))
        #expect(center.registrations.count == 3)
        for registration in center.registrations { registration.discardQueue() }
        var iterator = one.makeAsyncIterator()
        #expect(await iterator.next() == nil)
        var both = several.makeAsyncIterator()
        #expect(await both.next() == nil)
    }
}
