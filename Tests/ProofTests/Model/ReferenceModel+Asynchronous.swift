import Tidings

/// Asynchronous observers, by the promises: a queue for each.
extension ReferenceModel {
    /// The first observer for which something waits.
    var firstWaiting: Int? { observers.filter(\.value.isWaiting).map(\.key).min() }

    /// Puts a notification into the queue of an observer.
    mutating func put(_ queued: Queued, into number: Int) {
        guard var observer = observers[number] else { return }
        defer { observers[number] = observer }
        if observer.way.isFree {
            observer.expected.append(queued.post)
            return
        }
        switch observer.way.policy {
        case .oldest(let limit) where observer.queue.count >= limit, .latest(let limit) where limit == 0:
            observer.droppedCount += 1
            return
        case .latest(let limit) where observer.queue.count >= limit:
            observer.droppedCount += 1
            unpin(observer.queue.removeFirst())
        default: break
        }
        if let sender = queued.sender { pins[sender, default: 0] += 1 }
        if observer.way == .task, observer.held == nil, !isRunning.contains(number) {
            observer.held = queued
            held.insert(number)
        } else {
            observer.queue.append(queued)
        }
    }

    private mutating func unpin(_ queued: Queued) {
        if let sender = queued.sender { pins[sender, default: 0] -= 1 }
    }

    /// Forgets what waits for an observer that has ended.
    mutating func discardQueue(of number: Int) {
        for queued in observers[number]?.queue ?? [] { unpin(queued) }
        observers[number]?.queue = []
    }

    /// Calls an observer with all that is queued for it, also what is queued meanwhile.
    mutating func run(_ number: Int) {
        var calls = 0
        isRunning.insert(number)
        while let next = takeNext(for: number) {
            calls += 1
            events.append(.called(observer: number, post: next.post))
            act(number)
            unpin(next)
        }
        isRunning.remove(number)
        runs.append((number, calls))
        // With what waited, the end of the center has come for it.
        if let observer = observers[number], observer.isFinishing, !observer.hasSequence { ended.append(number) }
    }

    private mutating func takeNext(for number: Int) -> Queued? {
        if let call = observers[number]?.held.take() {
            held.remove(number)
            return call
        }
        return observers[number]?.queue.isEmpty == false ? observers[number]?.queue.removeFirst() : nil
    }

    /// Lets the calls end that stood still when their observers were cancelled, from the first observer to the last.
    mutating func finishHeldCalls() {
        while let number = held.filter({ observers[$0]?.isOver == true }).min() { run(number) }
    }
}

extension ReferenceModel.Observer {
    /// Whether something waits for the observer, and stands still.
    var isWaiting: Bool { held != nil || !queue.isEmpty }

    /// Whether the observer gets nothing any more, not even what waits.
    var isOver: Bool { !isLive && !isFinishing }

    /// Whether there is still somebody who counts what was dropped.
    var canBeLookedAt: Bool { hasSequence || hasToken }
}

extension Way {
    /// The place among the owners of the actor that an observer is tied to.
    func actorPlace(of observer: Int) -> Int? { if case .actor = self { -1 - observer } else { nil } }
}
