import IsolatedModule
import Testing
import Tidings

private struct Nested: TypedNotification { let depth: Int }

/// Senders of a module whose default isolation is the main actor.
@Suite(.timeLimit(.minutes(2))) struct IsolatedSenderTests {
    @Test func `promise 7, senders: a nonisolated value of a module with default isolation matches on any actor`() async
    {
        let center = NativeNotificationCenter()
        let here = await MainActor.run { center.addObserver(for: FreeChanged.self, sender: FreeID(number: 1)) { _ in } }
        let there = center.addObserver(for: FreeChanged.self, sender: FreeID(number: 1)) { _ in }
        #expect(center.post(FreeChanged(sender: FreeID(number: 1))) == 2)
        #expect(center.post(FreeChanged(sender: FreeID(number: 2))) == 0)
        #expect(await MainActor.run { center.post(FreeChanged(sender: FreeID(number: 1))) } == 2)
        withExtendedLifetime((here, there)) {}
    }

    @MainActor
    @Test func `promise 7, senders: an observer of main-actor notifications can be limited to a main-actor value`() {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: ItemShown.self, sender: ItemID(number: 1)) { _ in }
        #expect(center.post(ItemShown(sender: ItemID(number: 1))) == 1)
        #expect(center.post(ItemShown(sender: ItemID(number: 2))) == 0)
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `promise 7, senders: a main-actor value matches if the registration and the post are on the main actor`()
    {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: ItemChanged.self, sender: ItemID(number: 1)) { _ in }
        #expect(center.post(ItemChanged(sender: ItemID(number: 1))) == 1)
        #expect(center.post(ItemChanged(sender: ItemID(number: 2))) == 0)
        withExtendedLifetime(token) {}
    }

    @Test
    func `promise 7, senders: a post that can't compare a sender, although the registration could, is reported`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = NativeNotificationCenter()
            let token = await MainActor.run {
                center.addObserver(for: ItemChanged.self, sender: ItemID(number: 1)) { _ in }
            }
            await Task.detached { _ = center.post(ItemChanged(sender: ItemID(number: 1))) }.value
            withExtendedLifetime(token) {}
        }
        expectAdvice(in: result, of: "ItemChanged")
    }

    @Test
    func `promise 7, senders: a registration that can't compare a sender, although the post can, is reported`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = NativeNotificationCenter()
            let token = await Task.detached {
                center.addObserver(for: OptionalItemChanged.self, sender: ItemID(number: 1)) { _ in }
            }.value
            await MainActor.run { _ = center.post(OptionalItemChanged(sender: ItemID(number: 1))) }
            withExtendedLifetime(token) {}
        }
        expectAdvice(in: result, of: "OptionalItemChanged")
    }

    @Test
    func `promise 7, senders: a sender that neither the registration nor the post can compare is reported`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = NativeNotificationCenter()
            await Task.detached {
                let token = center.addObserver(for: ItemChanged.self, sender: ItemID(number: 1)) { _ in }
                center.post(ItemChanged(sender: ItemID(number: 1)))
                withExtendedLifetime(token) {}
            }.value
            // The main actor checks the sender in the meantime. The check fails and ends the process.
            while true { await Task.yield() }
        }
        expectAdvice(in: result, of: "ItemChanged")
    }

    @Test
    func `promise 7, senders: a post without a lane also reports a sender that it can't compare`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = NativeNotificationCenter()
            let token = await MainActor.run {
                center.addObserver(for: ItemChanged.self, sender: ItemID(number: 1)) { _ in }
            }
            await Task.detached {
                // The engine records up to 64 running posts in lanes, so the innermost of 80 nested posts has no lane.
                let nested = center.addObserver(for: Nested.self) { note in
                    if note.depth < 80 { center.post(Nested(depth: note.depth + 1)) }
                    if note.depth == 80 { center.post(ItemChanged(sender: ItemID(number: 1))) }
                }
                center.post(Nested(depth: 1))
                withExtendedLifetime(nested) {}
            }.value
            withExtendedLifetime(token) {}
        }
        expectAdvice(in: result, of: "ItemChanged")
    }

    private func expectAdvice(in result: ExitTest.Result?, of type: String) {
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            said.contains(type) && said.contains("ItemID") && said.contains("make the conformance nonisolated"),
            "\(said)")
    }
}
