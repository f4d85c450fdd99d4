/// One way to post, with its observers and the loop that posts.
struct PostingWay: Sendable {
    /// The subject of the measurement, with its circumstances.
    let subject: Subject

    /// The number of observers.
    var observers = 1

    /// The total that the observers count in one post.
    var total = Handler.total(1)

    /// The number of posts in one iteration of the loop.
    var posts = 1

    /// Adds the observers.
    ///
    /// - Returns: A closure that posts a number of times into a sink. It retains the observers.
    let prepare: @MainActor @Sendable () -> Loop

    /// Posts a number of times into a sink.
    typealias Loop = @MainActor (Int, Sink) -> Void

    /// Measures the duration of a post.
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

    /// Counts the allocations of a post.
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
