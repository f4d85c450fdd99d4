/// The limits that Tidings has to meet. Most are ratios of two figures of the same run.
extension Bar {
    static let all = engine + everyday + monitors + inspectors + inspectedBursts + cycles + asynchronous + queues

    /// Limits for observers that run during the post, and for adding and cancelling them.
    private static let engine: [Bar] = [
        Bar("post", 1, .tidings, .atMost(0.8), .mutexOfSlots, onAMD: .atMost(1.0)),
        Bar("post", 1, .tidings, .faster(30), .foundationBlock),
        Bar("post", 1, .tidings, .faster(18), .foundationMainActorMessage),
        Bar("post", 1, .tidings, .faster(6), .openCombine),
        Bar("post", 1, .tidings, .faster(4), .boost),
        Bar("post", 10, .tidings, .atMost(1.0), .mutexOfSlots),
        Bar("post", 10, .tidings, .faster(80), .foundationBlock),
        Bar("post", 1000, .tidings, .atMost(1.2), .mutexOfSlots),
        Bar("post", 1000, .tidings, .faster(110), .foundationBlock, onAMD: .faster(35)),
        Bar("post", 0, .tidings, .atMost(0.25), .tidings, at: 1),

        Bar("two posting threads", 10, .tidings.with("two threads"), .faster(1.8), .tidings.with("one thread")),
        Bar(
            "two posting threads", 10, .tidings.with("two threads, two types"), .faster(1.8),
            .tidings.with("one thread, two types")),
        // Posts and cancels write to each other's cache lines, so a post may take up to twice as long as without the
        // second thread.
        Bar(
            "post while another thread adds and cancels", 100, .tidings, .faster(0.5), .tidings.with("undisturbed")),

        Bar("add and cancel", 0, .tidings, .atMost(1.1), .mutexOfSlots, towards: .atMost(1.0)),
        Bar("add and cancel", 1_000_000, .tidings, .atMost(1.1), .tidings, at: 0),
        Bar("replace in random order", 1_000_000, .tidings, .atMost(2), .bareObjects),
        Bar("post beside filtered observers", 10_000, .tidings, .atMost(1.6), .tidings, at: 0),
        Bar("post in a center of many types", 100_000, .tidings, .atMost(1.2), .tidings, at: 1),
        Bar("post without a monitor", 1, .tidings.with("after a monitor"), .atMost(1.05), .tidings),

        .decodeKeyboard,

        Bar("heap per observer", 10_000, .tidings, .value(64)),
        Bar("heap allocations", 1, .tidings, .value(0)),
        Bar("heap allocations", 10, .tidings, .value(0)),
        Bar("heap allocations", 1000, .tidings, .value(0)),
    ]

    private static let asynchronous: [Bar] = [
        Bar("actor observer, burst of 10,000", 1, .tidings, .faster(10), .asyncStream),
        Bar("actor observer, burst of 10,000", 1, .tidings, .faster(40), .foundationAsyncMessage, onAMD: .faster(20)),
        Bar("sequence, burst of 10,000", 1, .tidings, .faster(5), .asyncStream),
        Bar("bus, burst of 10,000", 1, .tidings, .faster(10), .foundationAsyncMessage),
        Bar("bus, burst of 10,000", 10, .tidings, .faster(10), .foundationAsyncMessage),
        // Each of the ten consumers receives every message. The figures are per delivery, so they can be compared.
        Bar("bus, burst of 10,000", 10, .tidings, .atMost(1), .tidings, at: 1),

        Bar("bursts of 3 into actors: processor time", 1, .tidings, .atMost(1.1), .asyncStream),
        Bar(
            "bursts of 3 into actors: processor time", 100, .tidings, .atMost(1.25), .asyncStream,
            towards: .atMost(1.1)),
        Bar("bursts of 3 into actors: latency", 1, .tidings, .atMost(1), .asyncStream),
        Bar("bursts of 3 into actors: latency", 100, .tidings, .atMost(2.5), .asyncStream, towards: .atMost(1)),
    ]
}
