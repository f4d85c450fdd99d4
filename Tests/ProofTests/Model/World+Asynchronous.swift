import TestSupport
import Tidings
import TidingsConformance

extension World {
    func observe<N: TypedNotification & Sendable>(
        _ number: Int, _ type: N.Type, _ way: Way, _ sender: N.Sender?, _ body: Program,
        post: @escaping @Sendable (N) -> Int
    ) where N.Sender: Sendable {
        switch way {
        case .inPost: preconditionFailure("not an asynchronous observer")
        case .actor(let policy):
            let (line, call) = (ActorLine(), call(number, body))
            tokens[number] = line.withActor { actor in
                asynchronously.observe(on: actor, type, sender: sender, buffering: policy, in: center) { _, note in
                    call(post(note))
                    line.noteCall()
                }
            }
            lines[number] = line
        case .task:
            let (line, call) = (TaskLine(), call(number, body))
            tokens[number] = asynchronously.observeInTask(type, in: center) { note in
                guard await line.standStill() else { return }
                call(post(note))
                line.noteCall()
            }
            lines[number] = line
        case .sequence(let policy):
            let notes = center.notifications(of: type, sender: sender, buffering: policy)
            lines[number] = SequenceLine(notes, post: post, call: call(number, body))
        case .freeInActor, .freeOnMainActor, .freeInTask: observe(number, type, freely: way, post: post)
        }
    }

    private func observe<N: TypedNotification & Sendable>(
        _ number: Int, _ type: N.Type, freely way: Way, post: @escaping @Sendable (N) -> Int
    ) where N.Sender: Sendable {
        let (line, closure) = (FreeLine(isOwned: way == .freeInActor), closures.closure(of: number))
        let call: @Sendable (N) -> Void = { note in
            _ = closure.isFirstCall()
            line.begin(post(note))
            line.finishCall()
        }
        tokens[number] =
            switch way {
            case .freeInActor:
                asynchronously.observe(on: line.actor, type, sender: nil, buffering: .unbounded, in: center) {
                    call($1)
                }
            case .freeOnMainActor: asynchronously.observeOnMainActor(type, in: center, using: call)
            default:
                asynchronously.observeInTask(type, in: center) { note in
                    _ = closure.isFirstCall()
                    line.begin(post(note))
                    await Task.yield()
                    line.finishCall()
                }
            }
        lines[number] = line
    }

    /// Runs the asynchronous observers that the model ran, and waits for the events that have to happen.
    func catchUp(with model: ReferenceModel, after operation: Operation) async {
        if model.firstWaiting != nil, finishes.contains(where: \.isOver) {
            events.append(
                .violated(observer: model.firstWaiting, "the center has finished, but a notification is still queued"))
        }
        for (index, run) in model.runs.enumerated() {
            if run.calls > 0 { await lines[run.observer]?.run(run.calls, in: self) }
            if index == 0, case .endActor(let observer) = operation { await lines[observer]?.letGoOfActor(in: self) }
        }
        for drain in drains {
            await drain.task.value
            lines[drain.observer]?.noteDrain()
        }
        drains = []
        if lines.isEmpty { return }
        for observer in model.held {
            if let line = lines[observer] as? TaskLine { await wait { line.standsStill } }
        }
        let late = model.ended.filter { lines[$0] != nil && closures.contains($0) }
        if !late.isEmpty { await wait { late.allSatisfy { !self.closures.contains($0) } } }
        for (observer, line) in lines {
            guard let violation = line.violation(of: model.observers[observer]?.expected ?? []) else { continue }
            events.append(.violated(observer: observer, violation))
        }
    }

    func wait(until condition: () -> Bool) async {
        if condition() { return }
        let limit = ContinuousClock.now + patience
        repeat { await Task.yield() } while !condition() && ContinuousClock.now < limit
    }
}
