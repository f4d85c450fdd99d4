struct PostingWay: Sendable {
    let subject: Subject

    var observers = 1

    /// The total that the observers add to the sink in one iteration of the loop.
    var total = Handler.total(1)

    var posts = 1

    /// Adds the observers. Returns a closure that keeps them alive, and posts a given number of times with a given
    /// sink.
    let prepare: @MainActor @Sendable () -> Loop

    typealias Loop = @MainActor (Int, Sink) -> Void

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
