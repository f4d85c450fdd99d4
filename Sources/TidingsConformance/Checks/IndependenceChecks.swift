import Tidings

extension ConformanceCheck {
    package static let aSlowObserverDelaysNobody = ConformanceCheck(
        .independence, "a blocked asynchronous observer delays neither posts nor other observers"
    ) { trial, center in
        let (slow, quick) = (HeldActor(), HeldActor(isReleased: true))
        let inPost = Journal<Int>()
        for actor in [slow, quick] { trial.keep(actor.observe(in: center)) }
        trial.observe(Ping.self) { inPost.note($0.number) }
        await onThread {
            for number in 0..<100 { center.post(Ping(number: number)) }
        }
        trial.expect(inPost.entries, is: Array(0..<100), "notifications received by the observer in the post")
        await trial.eventually("the other actor received all notifications") { quick.journal.count == 100 }
        trial.expect(slow.journal.count, is: 0, "calls of a blocked actor")
        slow.executor.release()
        await trial.eventually("the slow actor received all notifications later") { slow.journal.count == 100 }
    }
}
