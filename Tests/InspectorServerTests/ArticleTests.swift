import Testing
import Tidings
import TidingsInspector

/// The code shown in the README and the articles.
private func serveAsShown(_ center: NativeNotificationCenter, _ bus: MessageBus<Int>) async throws {
    // swift-format-ignore
    try await Inspector(of: center, bus).serve()   // Inspector at http://127.0.0.1:40721/?token=…
}

private func serveAsTheReadmeShows(_ center: NativeNotificationCenter, _ bus: MessageBus<Int>) async throws {
    try await Inspector(of: center, bus).serve()  // prints an address of this machine, with a token
}

private func look(_ center: NativeNotificationCenter, draw: (InspectorSnapshot) -> Void) async {
    let inspector = Inspector(of: center)
    print(inspector.snapshot().observers.first?.waiting ?? 0)
    for await snapshot in inspector.snapshots(every: .seconds(1)) { draw(snapshot) }
}

@Suite(.timeLimit(.minutes(2))) struct ArticleTests {
    @Test func `the article's loop receives snapshots until its task is cancelled`() async {
        let center = NativeNotificationCenter()
        let (stream, arrivals) = AsyncStream.makeStream(of: Int.self)
        let looking = Task { await look(center) { arrivals.yield($0.viewers) } }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        looking.cancel()
        await looking.value
    }
}
