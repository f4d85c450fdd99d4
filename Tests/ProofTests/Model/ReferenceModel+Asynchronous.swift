import Tidings

extension ReferenceModel {
    var firstWaiting: Int? { observers.filter(\.value.isWaiting).map(\.key).min() }

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

    mutating func discardQueue(of number: Int) {
        for queued in observers[number]?.queue ?? [] { unpin(queued) }
        observers[number]?.queue = []
    }

    /// Calls an observer with all notifications queued for it, including those that are queued meanwhile.
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
        // In a finished center, the observer ends when its queue is empty.
        if let observer = observers[number], observer.isFinishing, !observer.hasSequence { ended.append(number) }
    }

    private mutating func takeNext(for number: Int) -> Queued? {
        if let call = observers[number]?.held.take() {
            held.remove(number)
            return call
        }
        return observers[number]?.queue.isEmpty == false ? observers[number]?.queue.removeFirst() : nil
    }

    /// Completes the suspended calls of observers that have ended, in the order of their numbers.
    mutating func finishHeldCalls() {
        while let number = held.filter({ observers[$0]?.isOver == true }).min() { run(number) }
    }
}

extension ReferenceModel.Observer {
    /// Whether a notification is queued for the observer, or one of its calls is suspended.
    var isWaiting: Bool { held != nil || !queue.isEmpty }

    /// Whether the observer receives nothing further, not even queued notifications.
    var isOver: Bool { !isLive && !isFinishing }

    /// Whether the number of dropped notifications can still be read.
    var canBeLookedAt: Bool { hasSequence || hasToken }
}

extension Way {
    /// For an observer in an actor, the key of the actor in `owners`. `nil` for other observers.
    func actorPlace(of observer: Int) -> Int? { if case .actor = self { -1 - observer } else { nil } }
}
