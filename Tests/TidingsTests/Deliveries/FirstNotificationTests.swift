import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct FirstNotificationTests {
    let center = RecordingNotificationCenter()

    @Test func `first(of:) waits for the first notification`() async {
        let center = center
        let first = Task { await center.first(of: Numbered.self) }
        await eventually("a post reaches an observer", { center.post(Numbered(number: 1)) }, until: { $0 != 0 })
        #expect(await first.value?.number == 1)
        await center.expectNoObservers()
    }

    @Test func `first(of:) waits for the first notification that matches`() async {
        let center = center
        let first = Task { await center.first(of: Numbered.self) { $0.number > 5 } }
        await eventually("a post reaches an observer", { center.post(Numbered(number: 1)) }, until: { $0 != 0 })
        center.post(Numbered(number: 7))
        center.post(Numbered(number: 8))
        #expect(await first.value?.number == 7)
    }

    @Test func `first(of:) does not miss a notification that its closure posts`() async {
        let note = await center.first(of: Numbered.self, performing: { center.post(Numbered(number: 1)) })
        #expect(note?.number == 1)
        let fitting = await center.first(of: Numbered.self, where: { $0.number == 2 }) {
            for number in 0..<4 { center.post(Numbered(number: number)) }
        }
        #expect(fitting?.number == 2)
    }

    @Test func `first() of a sequence returns the first notification, or nil if its time limit passes`() async {
        let (notes, clock) = (center.notifications(of: Numbered.self), ManualClock())
        for number in 1...2 { center.post(Numbered(number: number)) }
        #expect(await notes.first(within: .seconds(1), clock: clock)?.number == 1)
        let others = center.notifications(of: Renamed.self)
        let none = Task { await others.first(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(await none.value == nil)
    }

    @Test func `first(of:) can be limited to one sender`() async {
        let (mine, other) = (Account(), Account())
        let note = await center.first(
            of: Renamed.self, sender: mine,
            performing: {
                center.post(Renamed(sender: other, name: "other"))
                center.post(Renamed(sender: mine, name: "me"))
            })
        #expect(note?.name == "me")
    }

    @MainActor
    @Test func `the closures of first(of:) run in the caller's isolation, and need not be sendable`() async {
        var seen: [Int] = []
        let note = await center.first(
            of: Numbered.self, within: .seconds(1), clock: ManualClock(),
            where: { note in
                MainActor.assertIsolated()
                seen.append(note.number)
                return note.number == 2
            },
            performing: {
                MainActor.assertIsolated()
                for number in 0..<3 { center.post(Numbered(number: number)) }
            })
        #expect(note?.number == 2)
        #expect(seen == [0, 1, 2])
    }

    @Test func `first(of:) returns nil when its task is cancelled`() async {
        let center = center
        let first = Task { await center.first(of: Numbered.self) { $0.number == 0 } }
        await eventually("a post reaches an observer", { center.post(Numbered(number: 1)) }, until: { $0 != 0 })
        first.cancel()
        #expect(await first.value == nil)
        await center.expectNoObservers()
    }

    @Test func `first(of:) does not wait in a cancelled task`() async {
        let center = center
        let first = Task {
            cancelCurrentTask()
            return await center.first(of: Numbered.self)
        }
        #expect(await first.value == nil)
    }

    @Test func `when its task is cancelled, first(of:) with a time limit returns nil and ends its sleep`() async {
        let (center, clock) = (center, ManualClock())
        let first = Task { await center.first(of: Numbered.self, within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        first.cancel()
        #expect(await first.value == nil)
        #expect(clock.sleepers == 0)
    }

    @Test func `first(of:) measures its time limit with the given clock`() async {
        let (center, clock) = (center, ManualClock())
        let first = Task { await center.first(of: Numbered.self, within: .seconds(2), clock: clock) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(clock.sleepers == 1)
        clock.advance(by: .seconds(1))
        #expect(await first.value == nil)
        await center.expectNoObservers()
    }

    @Test func `a notification that arrives in time ends the sleep of first(of:)`() async {
        let clock = ManualClock()
        let note = await center.first(
            of: Numbered.self, within: .seconds(2), clock: clock,
            performing: {
                await clock.waitForSleepers()
                center.post(Numbered(number: 1))
            })
        #expect(note?.number == 1)
        #expect(clock.sleepers == 0)
    }
}
