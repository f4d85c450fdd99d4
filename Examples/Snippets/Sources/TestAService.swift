// An actor that works in the background, and a test that decides when it runs.
import Tidings
import TidingsTesting

// snippet.service
struct ImageWanted: TypedNotification, Equatable { let name: String }
struct ImageLoaded: TypedNotification, Equatable { let name: String }

actor ImageLoader {
    private let center: any TypedNotificationCenter

    init(center: any TypedNotificationCenter) {
        self.center = center
        center.addObserver(self, on: .actor, for: ImageWanted.self) { me, note in me.load(note.name) }
    }

    private func load(_ name: String) { center.post(ImageLoaded(name: name)) }
}
// snippet.end

// snippet.gate
let recorder = RecordingNotificationCenter()
let loader = ImageLoader(center: recorder)

recorder.gate.close()
recorder.post(ImageWanted(name: "cat"))
recorder.post(ImageWanted(name: "dog"))
for queued in recorder.gate.queued { print(queued.text, queued.delivery) }
// → ImageWanted(name: "cat") in an actor
// → ImageWanted(name: "dog") in an actor

await recorder.gate.releaseNext()
print(recorder.posted(ImageLoaded.self).map(\.name))
// → ["cat"]

await recorder.gate.open()
print(recorder.posted(ImageLoaded.self).map(\.name))
// → ["cat", "dog"]
// snippet.end

// snippet.received
let received = ReceivedValues<String>()
let token = recorder.addObserver(on: .task, for: ImageLoaded.self) { note in received.append(note.name) }
recorder.post(ImageWanted(name: "owl"))
await received.wait(for: 1)
print(received.values)
// → ["owl"]
// snippet.end
withExtendedLifetime((loader, token)) {}
