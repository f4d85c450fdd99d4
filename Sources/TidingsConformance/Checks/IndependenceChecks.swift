import Tidings

extension ConformanceCheck {
    package static let aSlowObserverDelaysNobody = ConformanceCheck(
        .independence, "a blocked asynchronous observer delays neither the poster nor other observers"
    ) { trial in
        let center = trial.center
        let (slow, quick) = (HeldActor(), HeldActor())
        quick.executor.release()
        let inPost = Journal<Int>()
        let posted = Gate()
        let held = center.addObserver(slow, on: .actor, for: Ping.self) { actor, note in actor.journal.note(note.number)
        }
        center.addObserver(quick, on: .actor, for: Ping.self) { actor, note in actor.journal.note(note.number) }
        trial.keep(center.addObserver(for: Ping.self) { inPost.note($0.number) })
        await onThread {
            for number in 0..<100 { center.post(Ping(number: number)) }
            posted.open()
        }
        await trial.wait(for: posted, "the posts returned")
        trial.expect(inPost.entries, is: Array(0..<100), "calls in the post")
        await trial.eventually("the other actor received all notifications") { quick.journal.count == 100 }
        trial.expect(slow.journal.count, is: 0, "calls of a blocked actor")
        slow.executor.release()
        await trial.eventually("the slow actor received all notifications, too") { slow.journal.count == 100 }
        held.cancel()
    }

    static let independenceChecks = [aSlowObserverDelaysNobody]
}
