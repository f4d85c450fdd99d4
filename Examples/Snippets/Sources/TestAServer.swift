// A part of a server in which several tasks post and a session expires, and its test.
import Tidings
import TidingsTesting

// snippet.server
struct RequestEnded: TypedNotification, Equatable { let path: String }
struct SessionExpired: TypedNotification, Equatable { let user: Int }
enum Usage: Equatable, Sendable { case served(Int) }

struct Server<C: Clock<Duration>>: Sendable {
    let center: any TypedNotificationCenter
    let usage: any MessageProducer<Usage>
    let clock: C

    func serve(_ paths: [String]) async {
        await withTaskGroup { group in
            for path in paths { group.addTask(name: path) { _ = center.post(RequestEnded(path: path)) } }
        }
        usage.dispatch(.served(paths.count))
    }

    func logIn(user: Int) {
        Task {
            try await clock.sleep(for: .seconds(60))
            center.post(SessionExpired(user: user))
        }
    }
}
// snippet.end

// snippet.tasks
let recorder = RecordingNotificationCenter()
let usage = RecordingMessageProducer<Usage>()
let clock = ManualClock()
let server = Server(center: recorder, usage: usage, clock: clock)

await server.serve(["/a", "/b", "/c"])
await recorder.expectPosted(RequestEnded.self) { $0.path == "/b" }
print(recorder.log.compactMap(\.task?.name).sorted())
// → ["/a", "/b", "/c"]
print(usage.dispatched)
// → [TestAServer.Usage.served(3)]
// snippet.end

// snippet.clock
await recorder.expectPosted(.equal(to: SessionExpired(user: 7)), within: .seconds(60), on: clock) {
    server.logIn(user: 7)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
}
print("expired at \(clock.now.offset)")
// → expired at 60.0 seconds
// snippet.end
