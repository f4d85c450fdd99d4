// A program that runs its main thread's run loop, as apps do and tests don't. It prints the notifications that it
// receives.

import Foundation
import TidingsFoundation

let center = NotificationCenter.default
var seen: [String] = []
var tokens: [NotificationToken] = []

@MainActor
func tell(_ when: String) {
    print("\(when): \(seen.joined(separator: ", "))")
    seen = []
}

@MainActor
func wait() {
    while seen.isEmpty { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
}

// Observers of `KeyboardNotification` run on the main thread: during a post there, or later from the main queue.

let event = KeyboardNotification.willShow
let payload = KeyboardPayload(
    startingFrame: .zero, endingFrame: .zero, animationDuration: 0.25, animationCurve: .keyboard, isLocal: true)

center.addObserver(descriptor: event) { payload in seen.append("\(payload.animationDuration)") }.store(in: &tokens)
try center.post(event, payload: payload)
tell("keyboard, in the post")

NotificationReport.handler = { report in print("reported: \(report)") }
let isPosted = DispatchSemaphore(value: 0)
Thread.detachNewThread {
    do { center.post(try event.encode(payload)) } catch { print(error) }
    isPosted.signal()
}
isPosted.wait()
tell("keyboard, posted by a thread")
wait()
tell("keyboard, later")

// Foundation itself posts these notifications when a file handle has read data in the background.

struct ReadCompletion: MainActorNotificationDescriptor {
    let name: Notification.Name

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> String {
        if let data = notification.userInfo?[NSFileHandleNotificationDataItem] as? Data {
            return String(decoding: data, as: UTF8.self)
        }
        throw NotificationDecodingError(
            notification: name.rawValue, keyPath: [NSFileHandleNotificationDataItem], expected: "Data", found: nil,
            reason: .missing)
    }
}

let pipe = Pipe()
let reader = pipe.fileHandleForReading
let some = ReadCompletion(name: FileHandle.readCompletionNotification)
center.addObserver(descriptor: some, object: reader) { text in seen.append(text) }.store(in: &tokens)
center.addObserver(descriptor: some, object: FileHandle.standardInput) { _ in seen.append("wrong") }.store(in: &tokens)
for word in ["one", "two"] {
    pipe.fileHandleForWriting.write(Data(word.utf8))
    reader.readInBackgroundAndNotify()
    wait()
    tell("file handle")
}

let end = ReadCompletion(name: .NSFileHandleReadToEndOfFileCompletion)
center.addObserver(descriptor: end, object: reader) { text in seen.append(text) }.store(in: &tokens)
pipe.fileHandleForWriting.write(Data("three".utf8))
try pipe.fileHandleForWriting.close()
reader.readToEndOfFileInBackgroundAndNotify()
wait()
tell("file handle, to the end")
