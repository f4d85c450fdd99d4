import Tidings

extension ConformanceCheck {
    package static let theAddedWaitForTheNextPost = ConformanceCheck(
        .membership, "an observer added during a post is first called by the next post, even if that is a nested post"
    ) { trial, center in
        let journal = Journal<String>()
        let subject = Subject()
        trial.observe(FromSubject.self) { note in
            journal.note("old \(note.number)")
            guard note.number == 1 else { return }
            for sender in [nil, subject] {
                trial.observe(FromSubject.self, sender: sender) { journal.note("new \($0.number)") }
            }
            center.post(FromSubject(sender: subject, number: 2))
        }
        trial.observe(FromSubject.self, sender: subject) { journal.note("last \($0.number)") }
        let calls = center.post(FromSubject(sender: subject, number: 1))
        trial.expect(
            journal.entries, is: ["old 1", "old 2", "last 2", "new 2", "new 2", "last 1"],
            "calls by a post that adds two observers and then makes a nested post")
        trial.expect(calls, is: 2, "observers called by the outer post")
        trial.expect(center.post(FromSubject(sender: subject, number: 3)), is: 4, "observers called by the next post")
    }

    package static let theCancelledAreNotCalled = ConformanceCheck(
        .membership, "a post doesn't call an observer whose token is cancelled or released before the post reaches it"
    ) { trial, center in
        let journal = Journal<String>()
        let (cancelled, letGo) = (TokenBox(), TokenBox())
        func add(_ name: String, then act: @escaping @Sendable () -> Void = {}) -> NotificationToken {
            center.addObserver(for: Ping.self) { _ in
                journal.note(name)
                act()
            }
        }
        cancelled.put(add("before"))
        trial.keep(
            add("cancels") {
                cancelled.cancel()
                letGo.takeAll()
            })
        cancelled.put(add("cancelled"))
        trial.keep(add("between"))
        letGo.put(add("released"))
        trial.keep(add("after"))
        let calls = center.post(Ping())
        trial.expect(journal.entries, is: ["before", "cancels", "between", "after"], "calls")
        trial.expect(calls, is: 4, "observers called")
    }

    package static let oneMayCancelItself = ConformanceCheck(
        .membership, "an observer that cancels itself or releases its own token is not called again"
    ) { trial, center in
        let journal = Journal<Int>()
        let boxes = (0..<10).map { _ in TokenBox() }
        for (number, box) in boxes.enumerated() {
            box.put(
                center.addObserver(for: Ping.self) { _ in
                    journal.note(number)
                    if number % 3 == 1 { box.cancel() }
                    if number % 3 == 2 { box.takeAll() }
                })
        }
        trial.expect(center.post(Ping()), is: 10, "observers called by the first post")
        trial.expect(center.post(Ping()), is: 4, "observers called by the second post")
        trial.expect(journal.entries, is: Array(0..<10) + [0, 3, 6, 9], "calls by two posts")
        withExtendedLifetime(boxes) {}
    }

    package static let otherThreadsChangeItAlike = ConformanceCheck(
        .membership,
        "a post in progress doesn't call observers that another thread has just added or cancelled"
    ) { trial, center in
        let journal = Journal<String>()
        let (entered, changed) = (Gate(), Gate())
        trial.observe(Ping.self) { note in
            journal.note("first")
            guard note.number == 1 else { return }
            entered.open()
            trial.waitHere(for: changed, "the other thread could add and cancel")
        }
        let cancelled = center.addObserver(for: Ping.self) { _ in journal.note("cancelled") }
        trial.observe(Ping.self) { _ in journal.note("last") }
        async let post: Void = onThread {
            trial.expect(center.post(Ping(number: 1)), is: 2, "observers called by the post in progress")
        }
        await trial.wait(for: entered, "the first observer was called")
        await onThread {
            cancelled.cancel()
            trial.observe(Ping.self) { _ in journal.note("added") }
        }
        changed.open()
        await post
        trial.expect(journal.entries, is: ["first", "last"], "calls by the post in progress")
        trial.expect(center.post(Ping(number: 2)), is: 3, "observers called by the next post")
    }
}
