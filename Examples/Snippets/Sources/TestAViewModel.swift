// A view model that posts and observes, and its tests.
import Tidings
import TidingsTesting

// snippet.model
struct NoteSaved: TypedNotification, Equatable { let text: String }
struct NotesChanged: TypedNotification {}

@MainActor
final class Editor {
    private(set) var reloads = 0
    private let center: any TypedNotificationCenter

    init(center: any TypedNotificationCenter) {
        self.center = center
        center.addObserver(self, on: .main, for: NotesChanged.self) { me, _ in me.reloads += 1 }
    }

    func save(_ text: String) {
        if !text.isEmpty { center.post(NoteSaved(text: text)) }
    }
}
// snippet.end

// snippet.posts
let recorder = RecordingNotificationCenter()
let editor = Editor(center: recorder)

editor.save("")
await recorder.expectNothingPosted()

editor.save("milk")
editor.save("bread")
await recorder.expectPosted(exactly: .equal(to: NoteSaved(text: "milk")), .any(NoteSaved.self) { $0.text == "bread" })
// snippet.end

// snippet.look
for note in recorder.posted(NoteSaved.self) { print(note.text) }
// → milk
// → bread
print(recorder.log.map(\.text).first ?? "nothing")
// → NoteSaved(text: "milk")
// snippet.end

// snippet.observes
recorder.post(NotesChanged())
await recorder.drain()
print("reloads: \(editor.reloads)")
// → reloads: 1
// snippet.end

// snippet.released
@MainActor
func aClosedEditorLeavesNothingBehind() async {
    let recorder = RecordingNotificationCenter()
    var editor: Editor? = Editor(center: recorder)
    await recorder.expectReleased(&editor)
    await recorder.expectNoObservers()
    print("observers left: \(recorder.observers.count)")
}
// snippet.end
await aClosedEditorLeavesNothingBehind()
// → observers left: 0
