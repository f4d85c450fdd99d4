/// One way to post: who observes, and what posts.
struct PostingWay: Sendable {
    /// Who is measured, and under which circumstances.
    let subject: Subject

    /// How many observers there are.
    var observers = 1

    /// What the observers count in one post.
    var total = Handler.total(1)

    /// How many posts one turn of the loop makes.
    var posts = 1

    /// Adds the observers.
    ///
    /// - Returns: What posts a number of times into a sink. It keeps the observers.
    let prepare: @MainActor @Sendable () -> Loop

    /// Posts a number of times into a sink.
    typealias Loop = @MainActor (Int, Sink) -> Void

    /// Measures how long a post takes.
    @MainActor var timed: Contender {
        let loop = prepare()
        return Contender(subject: subject, parameter: observers) { count in
            let sink = Sink()
            var sample = Sample.onThread { loop(count, sink) }
            try Miscount.check(subject, sink.take(), count * total)
            sample.value /= Double(posts)
            return sample
        }
    }

    /// Counts what a post allocates.
    @MainActor var allocating: Contender {
        let loop = prepare()
        let sink = Sink()
        return Contender(subject: subject, parameter: observers) { count in
            let use = Heap.watch { loop(count, sink) }
            try Miscount.check(subject, sink.take(), count * total)
            return Sample(value: use.allocations / Double(posts))
        }
    }
}
