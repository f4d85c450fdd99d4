import Dispatch
import Foundation
import TidingsFoundation

// All series, grouped by the quantity that grows. Only the closure that a series returns is measured.
extension Series {
    static var all: [Series] { observers + senders + foundation + owners + replayed + waiting + monitored + others }

    private static var observers: [Series] {
        [
            Series("add observers") { n in
                let center = NativeNotificationCenter()
                return { (0..<n).map { _ in center.addObserver(for: Plain.self) { _ in } } }
            },
            Series("cancel observers, the oldest first") { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(for: Plain.self) { _ in } }
                return {
                    for token in tokens { token.cancel() }; return center
                }
            },
            Series("cancel observers, the latest first") { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(for: Plain.self) { _ in } }
                return {
                    for token in tokens.reversed() { token.cancel() }; return center
                }
            },
            Series("a post to observers") { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(for: Plain.self) { _ in } }
                return {
                    center.post(Plain()); return tokens
                }
            },
            Series("list observers") { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(for: Plain.self) { _ in } }
                return { [center.observations.count, tokens] }
            },
            Series("finish a center of observers") { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(for: Plain.self) { _ in } }
                return {
                    await center.finish(within: .seconds(60)); return tokens
                }
            },
            Series("cancel and drain observers, all at once", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(for: Plain.self) { _ in } }
                return {
                    await withTaskGroup { group in
                        for token in tokens { group.addTask { await token.cancelAndDrain() } }
                    }
                    return center
                }
            },
            Series("observe types", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                return {
                    var tokens: [NotificationToken] = []
                    var types = Types(left: n) { type in
                        func observe<N: TypedNotification>(_ type: N.Type) {
                            tokens.append(center.addObserver(for: type) { _ in })
                        }
                        observe(type)
                    }
                    types.visit(Leaf.self, depth: 16)
                    return tokens
                }
            },
        ]
    }

    private static var senders: [Series] {
        [
            Series("add observers of objects") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                return { things.map { center.addObserver(for: FromThing.self, sender: $0) { _ in } } }
            },
            Series("a post from each of the objects") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                let tokens = things.map { center.addObserver(for: FromThing.self, sender: $0) { _ in } }
                return {
                    for thing in things { center.post(FromThing(sender: thing)) }; return tokens
                }
            },
            Series("cancel observers of objects") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                let tokens = things.map { center.addObserver(for: FromThing.self, sender: $0) { _ in } }
                return {
                    for token in tokens { token.cancel() }; return center
                }
            },
            Series("posts and registrations after objects were deallocated") { n in
                let center = NativeNotificationCenter()
                var things = (0..<n).map { _ in Thing() }
                let tokens = things.map { center.addObserver(for: FromThing.self, sender: $0) { _ in } }
                things = []
                let one = Thing()
                return {
                    for _ in 0..<n {
                        center.post(FromThing(sender: one))
                        center.addObserver(for: FromThing.self) { _ in }.cancel()
                    }
                    return tokens
                }
            },
            Series("add observers of numbers, post from each number, cancel the observers") { n in
                let center = NativeNotificationCenter()
                return {
                    let tokens = (0..<n).map { center.addObserver(for: FromNumber.self, sender: $0) { _ in } }
                    for number in 0..<n { center.post(FromNumber(sender: number)) }
                    for token in tokens { token.cancel() }
                    return center
                }
            },
            Series("observers of numbers as any Sendable, next to a sender that equals nothing") { n in
                let center = NativeNotificationCenter()
                let other = center.addObserver(for: FromAny.self, sender: Incomparable()) { _ in }
                return {
                    let tokens = (0..<n).map { center.addObserver(for: FromAny.self, sender: $0) { _ in } }
                    for number in 0..<n { center.post(FromAny(sender: number)) }
                    for token in tokens { token.cancel() }
                    return (center, other)
                }
            },
            Series("add and cancel observers of senders that equal nothing", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                return {
                    let tokens = (0..<n).map { _ in
                        center.addObserver(for: FromAny.self, sender: Incomparable()) { _ in }
                    }
                    for _ in 0..<n { center.post(FromAny(sender: Incomparable())) }
                    for token in tokens { token.cancel() }
                    return center
                }
            },
        ]
    }

    private static var foundation: [Series] {
        [
            Series("add observers of numbers in Foundation's center, post from each, and cancel", upTo: 1 << 14) { n in
                let center = NotificationCenter()
                return {
                    let tokens = (0..<n).map { center.addObserver(for: FromNumber.self, sender: $0) { _ in } }
                    for number in 0..<n { center.post(FromNumber(sender: number)) }
                    for token in tokens { token.cancel() }
                    return center
                }
            }
        ]
    }

    private static var owners: [Series] {
        [
            Series("add observers with owners") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                return {
                    for thing in things { center.addObserver(thing, for: Plain.self) { _, _ in } }; return center
                }
            },
            Series("add and cancel observers with a condition, next to observers with owners") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                for thing in things { center.addObserver(thing, for: Plain.self) { _, _ in } }
                return {
                    for _ in 0..<n { center.addObserver(for: Plain.self, where: { _ in false }) { _ in }.cancel() }
                    return things
                }
            },
            Series("add and cancel observers, next to observers of objects with owners") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                for thing in things { center.addObserver(thing, for: FromThing.self, sender: thing) { _, _ in } }
                return {
                    for thing in things {
                        center.addObserver(for: FromThing.self) { _ in }.cancel()
                        _ = thing
                    }
                    return things
                }
            },
            Series("a post that ends observers whose owners are deallocated") { n in
                let center = NativeNotificationCenter()
                var things = (0..<n).map { _ in Thing() }
                for thing in things { center.addObserver(thing, for: Plain.self) { _, _ in } }
                things = []
                return {
                    center.post(Plain()); return center
                }
            },
            Series("registrations after owners were deallocated") { n in
                let center = NativeNotificationCenter()
                var things = (0..<n).map { _ in Thing() }
                for thing in things { center.addObserver(thing, for: Plain.self) { _, _ in } }
                things = []
                return {
                    for _ in 0..<n { center.addObserver(for: Plain.self) { _ in }.cancel() }; return center
                }
            },
            Series("remove the observers of each owner", upTo: 1 << 14) { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                for thing in things { center.addObserver(thing, for: Plain.self) { _, _ in } }
                return {
                    for thing in things { center.removeObservers(of: thing) }; return center
                }
            },
            // Like any post, this post visits all observers of the type.
            Series("a post to one of the owners") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                for thing in things { center.addObserver(thing, for: Plain.self) { _, _ in } }
                return {
                    center.post(Plain(), to: things[n / 2]); return things
                }
            },
            Series("owners that register twice through unlessRegistered", upTo: 1 << 14) { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                return {
                    for _ in 0..<2 {
                        for thing in things {
                            center.unlessRegistered.addObserver(thing, for: Plain.self) { _, _ in }
                        }
                    }
                    return things
                }
            },
        ]
    }

    private static var replayed: [Series] {
        [
            Series("replayed posts from objects") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                return {
                    for thing in things { center.post(StateOfThing(sender: thing)) }; return things
                }
            },
            Series("replayed posts after objects were deallocated") { n in
                let (center, one) = (NativeNotificationCenter(), Thing())
                var things = (0..<n).map { _ in Thing() }
                for thing in things { center.post(StateOfThing(sender: thing)) }
                things = []
                return {
                    for _ in 0..<n { center.post(StateOfThing(sender: one)) }; return one
                }
            },
            Series("late observers of each object") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                for thing in things { center.post(StateOfThing(sender: thing)) }
                return { things.map { center.addObserver(for: StateOfThing.self, sender: $0) { _ in } } }
            },
            Series("late observers of all senders, after the latest sender was deallocated") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                for thing in things { center.post(StateOfThing(sender: thing)) }
                return {
                    for _ in 0..<n {
                        center.post(StateOfThing(sender: Thing()))
                        center.addObserver(for: StateOfThing.self) { _ in }.cancel()
                    }
                    return things
                }
            },
            Series("replayed posts from numbers, and from NaN") { n in
                let center = NativeNotificationCenter()
                return {
                    for number in 0..<n {
                        center.post(StateOfNumber(sender: Double(number)))
                        center.post(StateOfNumber(sender: .nan))
                    }
                    return center
                }
            },
            Series("deliver the notifications that a registration held back") { n in
                let (center, isInCall, goOn, isDone) = (
                    NativeNotificationCenter(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0),
                    DispatchSemaphore(value: 0)
                )
                center.post(State(number: -1))
                DispatchQueue(label: "registers").async {
                    let token = center.addObserver(for: State.self) { note in
                        guard note.number == -1 else { return }
                        isInCall.signal()
                        goOn.wait()
                    }
                    token.cancel()
                    isDone.signal()
                }
                DispatchQueue(label: "posts").sync {
                    isInCall.wait()
                    for number in 0..<n { center.post(State(number: number)) }
                }
                return {
                    DispatchQueue(label: "waits").sync {
                        goOn.signal()
                        isDone.wait()
                    }
                    return center
                }
            },
            Series("add and cancel observers that start with the latest notification") { n in
                let center = NativeNotificationCenter()
                center.post(State())
                return {
                    let tokens = (0..<n).map { _ in center.addObserver(for: State.self) { _ in } }
                    for token in tokens { token.cancel() }
                    return center
                }
            },
        ]
    }

    private static var waiting: [Series] {
        [
            Series("post to a sequence that is not read") { n in
                let center = NativeNotificationCenter()
                let notes = center.notifications(of: Plain.self)
                return {
                    for number in 0..<n { center.post(Plain(number: number)) }; return notes
                }
            },
            Series("read the queued elements of a sequence") { n in
                let center = NativeNotificationCenter()
                let notes = center.notifications(of: Plain.self)
                for number in 0..<n { center.post(Plain(number: number)) }
                return {
                    var iterator = notes.makeAsyncIterator()
                    for _ in 0..<n { _ = await iterator.next() }
                    return notes
                }
            },
            Series("post to a sequence that keeps the latest n/2") { n in
                let center = NativeNotificationCenter()
                let notes = center.notifications(of: Plain.self, buffering: .latest(n / 2))
                return {
                    for number in 0..<n { center.post(Plain(number: number)) }; return notes
                }
            },
            Series("notifications that are dropped before their retry") { n in
                let center = NativeNotificationCenter()
                struct Refused: Error {}
                let token = center.addObserver(
                    on: .task, for: Plain.self, buffering: .latest(10),
                    onFailure: .retry(after: [.seconds(3_600)], keepingOrder: false)
                ) { _ in throw Refused() }
                return {
                    for number in 0..<n { await center.deliver(Plain(number: number), within: .zero) }; return token
                }
            },
            Series("waits for room that time out", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                let notes = center.notifications(of: Plain.self, buffering: .backPressure(1))
                center.post(Plain())
                return {
                    for _ in 0..<n { _ = try? await center.postWaitingForRoom(Plain(), within: .zero) }
                    return notes
                }
            },
            Series("drains that time out", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                let notes = center.notifications(of: Plain.self)
                center.post(Plain())
                return {
                    for _ in 0..<n { await center.drain(within: .zero) }; return notes
                }
            },
            Series("finish a center of sequences", upTo: 1 << 16) { n in
                let center = NativeNotificationCenter()
                let sequences = (0..<n).map { _ in center.notifications(of: Plain.self) }
                return {
                    await center.finish(within: .seconds(60)); return sequences
                }
            },
            Series("deliver to tasks", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(on: .task, for: Plain.self) { _ in } }
                return { [await center.deliver(Plain()).isComplete, tokens] }
            },
            Series("a post to tasks, and a drain", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                let tokens = (0..<n).map { _ in center.addObserver(on: .task, for: Plain.self) { _ in } }
                return {
                    center.post(Plain())
                    await center.drain(within: .seconds(60))
                    return tokens
                }
            },
            Series("two drains at once inside a call of a task", upTo: 1 << 14) { n in
                let (center, other) = (NativeNotificationCenter(), NativeNotificationCenter())
                let tokens = (0..<n).map { _ in center.addObserver(on: .task, for: Plain.self) { _ in } }
                let draining = other.addObserver(on: .task, for: Plain.self) { _ in
                    async let further = center.drain(within: .seconds(60))
                    _ = await (center.drain(within: .seconds(60)), further)
                }
                return {
                    await other.deliver(Plain())
                    return [tokens, [draining]]
                }
            },
            Series("concurrent waits with decreasing time limits, and their end", upTo: 1 << 13) { n in
                let center = NativeNotificationCenter()
                let (stream, go) = AsyncStream.makeStream(of: Void.self)
                let token = center.addObserver(on: .task, for: Plain.self) { _ in for await _ in stream {} }
                center.post(Plain())
                return {
                    await withTaskGroup { group in
                        for number in 0..<n {
                            group.addTask { await center.drain(within: .seconds(60) - .microseconds(number)) }
                        }
                        go.finish()
                    }
                    return token
                }
            },
            Series("notifications that wait for a retry, and the end of their observer", upTo: 1 << 16) { n in
                let center = NativeNotificationCenter()
                let token = center.addObserver(
                    on: .task, for: Plain.self, onFailure: .retry(after: [.seconds(600)], keepingOrder: false)
                ) { _ in throw Refusal() }
                return {
                    for number in 0..<n { center.post(Plain(number: number)) }
                    while center.observations.first?.retrying != n { await Task.yield() }
                    token.cancel()
                    return center
                }
            },
            Series("posters that wait for room, until there is room", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                let notes = center.notifications(of: Plain.self, buffering: .backPressure(1))
                return {
                    await withTaskGroup { group in
                        for number in 0..<n {
                            group.addTask { _ = try? await center.postWaitingForRoom(Plain(number: number)) }
                        }
                        var iterator = notes.makeAsyncIterator()
                        for _ in 0..<n { _ = await iterator.next() }
                    }
                    return center
                }
            },
            Series("waits for the first notification of a type, and its post", upTo: 1 << 13) { n in
                let center = NativeNotificationCenter()
                return {
                    await withTaskGroup { group in
                        for _ in 0..<n { group.addTask { _ = await center.first(of: Plain.self) } }
                        // The loop checks rarely, because each check visits all observations.
                        while center.observations.count < n { try? await Task.sleep(for: .milliseconds(20)) }
                        center.post(Plain())
                    }
                    return center
                }
            },
        ]
    }

    private static var monitored: [Series] {
        func warned(of center: NativeNotificationCenter) -> MonitorAttachment {
            center.attach(Deaf(), interests: .warnings, thresholds: WarningThresholds(ownerAge: .seconds(600)))
        }
        return [
            Series("add and cancel observers with owners, the oldest first, with a monitor of their age") {
                n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                let attachment = warned(of: center)
                return {
                    let tokens = things.map { center.addObserver($0, for: Plain.self) { _, _ in } }
                    for token in tokens { token.cancel() }
                    return attachment
                }
            },
            Series("add and cancel monitored observers with owners, the latest first, next to one that stays") { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                let attachment = warned(of: center)
                center.addObserver(things[0], for: Plain.self) { _, _ in }
                return {
                    let tokens = things.map { center.addObserver($0, for: Plain.self) { _, _ in } }
                    for token in tokens.reversed() { token.cancel() }
                    return attachment
                }
            },
            Series("owners that register twice with a monitor", upTo: 1 << 14) { n in
                let (center, things) = (NativeNotificationCenter(), (0..<n).map { _ in Thing() })
                let attachment = warned(of: center)
                return {
                    for _ in 0..<2 {
                        for thing in things { center.addObserver(thing, for: Plain.self) { _, _ in } }
                    }
                    return (things, attachment)
                }
            },
            Series("a post to tasks with a monitor, and a drain", upTo: 1 << 14) { n in
                let center = NativeNotificationCenter()
                let attachment = warned(of: center)
                let tokens = (0..<n).map { _ in center.addObserver(on: .task, for: Plain.self) { _ in } }
                return {
                    center.post(Plain())
                    await center.drain(within: .seconds(60))
                    return (tokens, attachment)
                }
            },
        ]
    }

    private static var others: [Series] {
        [
            Series("add consumers to a bus") { n in
                let (bus, consumers) = (MessageBus<Int>(), (0..<n).map { _ in Consumer() })
                return {
                    for consumer in consumers { bus.add(consumer) }; return bus
                }
            },
            Series("remove consumers from a bus") { n in
                let (bus, consumers) = (MessageBus<Int>(), (0..<n).map { _ in Consumer() })
                for consumer in consumers { bus.add(consumer) }
                return {
                    for consumer in consumers { bus.remove(consumer) }; return bus
                }
            },
            Series("dispatch to consumers, and drain", upTo: 1 << 14) { n in
                let (bus, consumers) = (MessageBus<Int>(), (0..<n).map { _ in Consumer() })
                for consumer in consumers { bus.add(consumer) }
                return {
                    bus.dispatch(1); await bus.drain(within: .seconds(60)); return consumers
                }
            },
            Series("dispatch messages to a consumer, and drain") { n in
                let (bus, consumer) = (MessageBus<Int>(), Consumer())
                bus.add(consumer)
                return {
                    for number in 0..<n { bus.dispatch(number) }
                    await bus.drain(within: .seconds(60))
                    return consumer
                }
            },
            Series("remove a consumer with queued messages") { n in
                let (bus, consumer) = (MessageBus<Int>(), WaitingConsumer())
                bus.add(consumer)
                bus.dispatch(0)
                // The call has begun when the stream ends, so the next messages stay in the queue.
                for await _ in consumer.calls {}
                for number in 0..<n { bus.dispatch(number) }
                return {
                    bus.remove(consumer)
                    consumer.go.finish()
                    return consumer
                }
            },
            Series("tokens in a group, and the end of the group", upTo: 1 << 16) { n in
                let (center, group) = (NativeNotificationCenter(), ObserverGroup("group"))
                return {
                    for _ in 0..<n { center.addObserver(for: Plain.self) { _ in }.store(in: group) }
                    _ = await group.finish(within: .seconds(60))
                    return center
                }
            },
            Series("tokens in a group that are cancelled before the group ends", upTo: 1 << 16) { n in
                let (center, group) = (NativeNotificationCenter(), ObserverGroup("group"))
                return {
                    for _ in 0..<n {
                        let token = center.addObserver(for: Plain.self) { _ in }
                        token.store(in: group)
                        token.cancel()
                    }
                    return (center, group)
                }
            },
        ]
    }
}
