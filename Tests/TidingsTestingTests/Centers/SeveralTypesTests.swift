import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct Shipped: TypedNotification {
    static let name = "SeveralTypesTests.Shipped"
    let sender: Screen
    var id = 0
}

extension AsyncSequence where Failure == Never {
    fileprivate func words(_ count: Int, _ words: (Element) -> String) async -> [String] {
        var all: [String] = []
        for await element in self {
            all.append(words(element))
            if all.count == count { break }
        }
        return all
    }
}

private func words(_ note: any NotificationContent & Sendable) -> String {
    switch note {
    case let note as Placed: "placed \(note.id)"
    case let note as Retitled: "retitled \(note.id)"
    case let note as Shipped: "shipped \(note.id)"
    default: "something else"
    }
}

@Suite(.timeLimit(.minutes(2))) struct SeveralTypesTests {
    @Test(arguments: EveryCenter.all) func `notifications of several types arrive in the order of the posts`(
        _ every: EveryCenter
    ) async {
        let (center, screen) = (every.make(), Screen())
        let notes = center.notifications(of: Placed.self, Retitled.self, Shipped.self)
        for id in 0..<3 {
            center.post(Shipped(sender: screen, id: id))
            center.post(Placed(id: id))
            center.post(Retitled(sender: screen, id: id))
        }
        #expect(
            await notes.words(9, words) == [
                "shipped 0", "placed 0", "retitled 0", "shipped 1", "placed 1", "retitled 1", "shipped 2", "placed 2",
                "retitled 2",
            ])
    }

    @Test(arguments: EveryCenter.all) func `a sequence of two types can be limited to one sender`(
        _ every: EveryCenter
    ) async {
        let (center, screen) = (every.make(), Screen())
        let notes = center.notifications(of: Retitled.self, Shipped.self, sender: screen)
        for id in 0..<2 {
            center.post(Shipped(sender: Screen(), id: id))
            center.post(Shipped(sender: screen, id: id))
            center.post(Retitled(sender: Screen(), id: id))
            center.post(Retitled(sender: screen, id: id))
        }
        #expect(await notes.words(4, words) == ["shipped 0", "retitled 0", "shipped 1", "retitled 1"])
    }

    @Test(arguments: EveryCenter.all) @MainActor func `main-actor notifications of several types arrive, too`(
        _ every: EveryCenter
    ) async {
        let (center, screen) = (every.make(), Screen())
        let notes = center.notifications(of: Shown.self, Selected.self)
        let ofSender = center.notifications(of: Selected.self, Selected.self, sender: screen)
        center.post(Selected(sender: screen, id: 1))
        center.post(Shown(id: 2))
        center.post(Selected(sender: Screen(), id: 3))
        let words: (any NotificationContent & Sendable) -> String = { note in
            switch note {
            case let note as Shown: "shown \(note.id)"
            case let note as Selected: "selected \(note.id)"
            default: "something else"
            }
        }
        #expect(await notes.words(3, words) == ["selected 1", "shown 2", "selected 3"])
        // A type that is listed twice is observed twice.
        #expect(await ofSender.words(2, words) == ["selected 1", "selected 1"])
    }

    @Test(arguments: EveryCenter.all)
    func `the types of a sequence share a buffer, its policy and the count of dropped notifications`(
        _ every: EveryCenter
    ) async {
        let center = every.make()
        let notes = center.notifications(of: Placed.self, Retitled.self, buffering: .latest(2))
        for id in 0..<3 {
            center.post(Placed(id: id))
            center.post(Retitled(sender: Screen(), id: id))
        }
        #expect(notes.droppedCount == 4)
        #expect(await notes.words(2, words) == ["placed 2", "retitled 2"])
    }

    @Test(arguments: EveryCenter.ofThePackage) func `the result of a post counts a sequence of several types once`(
        _ every: EveryCenter
    ) {
        let center = every.make()
        let notes = center.notifications(of: Placed.self, Retitled.self)
        #expect(center.post(Placed()) == 1)
        #expect(center.post(Retitled(sender: Screen())) == 1)
        withExtendedLifetime(notes) {}
    }

    @Test(arguments: EveryCenter.all) func `releasing the sequence ends its observations of all types`(
        _ every: EveryCenter
    ) {
        let center = every.make()
        do {
            let notes = center.notifications(of: Placed.self, Retitled.self)
            #expect(center.post(Placed()) == 1)
            withExtendedLifetime(notes) {}
        }
        #expect(center.post(Placed()) == 0)
        #expect(center.post(Retitled(sender: Screen())) == 0)
    }

    @Test func `when the center is released, the sequence returns the queued notifications and then ends`() async {
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let notes = center?.notifications(of: Placed.self, Shipped.self)
        center?.post(Placed(id: 7))
        center = nil
        #expect(await notes?.words(2, words) == ["placed 7"])
    }

    @Test(arguments: EveryCenter.all)
    func `the sequence ends after its sender was deallocated and each type was posted again`(
        _ every: EveryCenter
    ) async {
        let center = every.make()
        var screen: Screen? = Screen()
        let notes = center.notifications(of: Retitled.self, Shipped.self, sender: screen)
        screen = nil
        center.post(Retitled(sender: Screen(), id: 2))
        center.post(Shipped(sender: Screen(), id: 3))
        #expect(await notes.words(1, words).isEmpty)
    }

    @Test func `the sequence ends at once in a cancelled task`() async {
        let center = NativeNotificationCenter()
        let notes = center.notifications(of: Placed.self, Retitled.self)
        center.post(Placed())
        let count = await Task { () -> Int in
            cancelCurrentTask()
            return await notes.words(1, words).count
        }.value
        #expect(count == 0)
    }

    @Test func `a second iterator receives everything since its own creation`() async {
        let center = NativeNotificationCenter()
        let notes = center.notifications(of: Placed.self, Retitled.self)
        var first = notes.makeAsyncIterator()
        center.post(Placed(id: 1))
        var second = notes.makeAsyncIterator()
        center.post(Retitled(sender: Screen(), id: 2))
        #expect(await first.next().map(words) == "placed 1")
        #expect(await first.next().map(words) == "retitled 2")
        #expect(await second.next().map(words) == "retitled 2")
    }

    @Test(arguments: EveryCenter.ofThePackage) func `the list of observations has an entry for each type`(
        _ every: EveryCenter
    ) {
        let center = every.make()
        let notes = center.notifications(of: Placed.self, Retitled.self)
        center.post(Placed())
        center.post(Placed())
        #expect(center.observations.map(\.delivery) == [.sequence, .sequence])
        #expect(center.observations.map(\.queued) == [2, 2])
        #expect(Set(center.observations.map(\.place.line)).count == 1)
        #expect(Set(center.observations.map(\.subject.name)).count == 2)
        withExtendedLifetime(notes) {}
    }

    @Test(arguments: EveryCenter.ofThePackage) func `monitors receive each notification under its own type`(
        _ every: EveryCenter
    ) async {
        let (center, monitor) = (every.make(), RecordingMonitor())
        let attachment = center.attach(monitor)
        let notes = center.notifications(of: Placed.self, Retitled.self, buffering: .latest(2))
        center.post(Retitled(sender: Screen(), id: 1))
        center.post(Placed(id: 2))
        center.post(Placed(id: 3))
        #expect(await notes.words(2, words) == ["placed 2", "placed 3"])
        let name: (ObserverDescription) -> String = { $0.subject.type == Placed.self ? "placed" : "retitled" }
        let told = monitor.events.values.compactMap { event -> String? in
            switch event {
            case .queued(let observer, let waiting): "queued \(name(observer)) \(waiting)"
            case .dropped(let observer, let total): "dropped \(name(observer)) \(total)"
            case .delivered(let delivery): "delivered \(name(delivery.observer))"
            default: nil
            }
        }
        #expect(
            told == [
                "queued retitled 1", "queued placed 2", "queued placed 2", "dropped placed 1", "delivered placed",
                "delivered placed",
            ])
        attachment.detach()
    }

    @Test func `notifications posted by several threads keep each thread's order`() async {
        let center = NativeNotificationCenter()
        let notes = center.notifications(of: Placed.self, Shipped.self)
        let count = 500
        await withTaskGroup { group in
            for poster in 0..<4 {
                group.addTask {
                    let screen = Screen()
                    for number in 0..<count {
                        let id = poster * count + number
                        if number % 2 == 0 {
                            center.post(Placed(id: id))
                        } else {
                            center.post(Shipped(sender: screen, id: id))
                        }
                    }
                }
            }
        }
        var last = [Int](repeating: -1, count: 4)
        var (iterator, isOrdered) = (notes.makeAsyncIterator(), true)
        for _ in 0..<(4 * count) {
            let note = await iterator.next()
            let id = (note as? Placed)?.id ?? (note as? Shipped)?.id ?? 0
            isOrdered = isOrdered && id % count == last[id / count] + 1
            last[id / count] = id % count
        }
        #expect(isOrdered)
        #expect(last == [Int](repeating: count - 1, count: 4))
    }
}
