import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct PlaceTests {
    private let recorder = RecordingNotificationCenter()

    private var lines: [UInt] { recorder.log.map(\.place.line) }

    @Test func `the place of a post is the line that posts, whatever the static type of the center`() {
        let existential: any TypedNotificationCenter = recorder
        let opaque: some TypedNotificationCenter = recorder
        func post(to center: some TypedNotificationCenter, _ notification: some TypedNotification) -> SourcePlace {
            center.post(notification)
            return SourcePlace(line: #line - 1)
        }
        let line: UInt = #line
        recorder.post(Saved(id: 1))
        existential.post(Saved(id: 2))
        opaque.post(Saved(id: 3))
        let generic = post(to: existential, Saved(id: 4))
        #expect(lines == [line + 1, line + 2, line + 3, generic.line])
        #expect(recorder.log.map(\.place).last == generic)
        #expect(recorder.log.first?.place.description == "TidingsTestingTests/PlaceTests.swift:\(line + 1)")
        #expect(
            recorder.log.first?.description.hasSuffix("at TidingsTestingTests/PlaceTests.swift:\(line + 1)") == true)
    }

    @Test func `the place of a delivery is the line that delivers`() async {
        let center: any TypedNotificationCenter = recorder
        let line: UInt = #line
        await recorder.deliver(Saved(id: 1))
        await center.deliver(Saved(id: 2))
        #expect(lines == [line + 1, line + 2])
    }

    @Test @MainActor func `the place of a main-actor post is the line that posts or delivers`() async {
        let center: any TypedNotificationCenter = recorder
        let line: UInt = #line
        recorder.post(WillShow(draft: Draft()))
        center.post(DidShow())
        await center.deliver(DidShow())
        #expect(lines == [line + 1, line + 2, line + 3])
    }

    @Test func `the place of a post by an observer is the line in the observer's closure`() async {
        let center: any TypedNotificationCenter = recorder
        let line: UInt = #line
        let token = center.addObserver(on: .task, for: Saved.self) { _ in center.post(Closed()) }
        await center.deliver(Saved())
        #expect(lines == [line + 2, line + 1])
        withExtendedLifetime(token) {}
    }

    @Test func `code that posts on behalf of other code can pass the place of the other code`() {
        func announce(fileID: StaticString = #fileID, line: UInt = #line) {
            recorder.post(Closed(), fileID: fileID, line: line)
        }
        let line: UInt = #line + 1
        announce()
        recorder.post(Closed(), from: SourcePlace(fileID: "App/Other.swift", line: 7))
        #expect(recorder.log.map(\.place.description) == ["\(#fileID):\(line)", "App/Other.swift:7"])
    }

    @Test func `forwarding centers pass on the place of a post`() {
        let outer: [any TypedNotificationCenter] = [
            ForwardingCenter(to: recorder), RecordingNotificationCenter(forwardingTo: recorder),
        ]
        let line: UInt = #line
        outer[0].post(Closed())
        outer[1].post(Closed())
        #expect(lines == [line + 1, line + 2])
    }

    @Test func `a failed expectation names the places of the posts`() async {
        let line: UInt = #line + 1
        recorder.post(Saved(id: 1))
        let place = "at TidingsTestingTests/PlaceTests.swift:\(line)"
        await fails(saying: "Expected any Closed, but none was posted.", "Saved(id: 1)", place) {
            await recorder.expectPosted(Closed.self)
        }
        await fails(saying: "Expected no notification. Posted: 1.", "Saved(id: 1)", place) {
            await recorder.expectNothingPosted()
        }
        await fails(saying: "+ Saved(id: 1)", place) {
            await recorder.expectPosted(exactly: .any(Closed.self))
        }
    }

    // MARK: Events for monitors

    @Test func `a monitor receives the place of a post`() async {
        let (center, monitor) = (NativeNotificationCenter(), RecordingMonitor())
        let attachment = center.attach(monitor)
        let line: UInt = #line
        center.post(Saved())
        let token = center.addObserver(for: Saved.self) { _ in }
        center.post(Saved())
        await center.deliver(Saved())
        #expect(monitor.posts.map(\.place?.line) == [line + 1, line + 3, line + 4])
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `Foundation's center reports the place of a typed post, and no place for an untyped one`() {
        let (center, monitor) = (NotificationCenter(), RecordingMonitor())
        let attachment = center.attach(monitor)
        let token = center.addObserver(descriptor: PayloadDescriptor<Int>(name: Notification.Name(Saved.name))) { _ in }
        let line: UInt = #line + 1
        center.post(Saved())
        center.post(name: Notification.Name(Saved.name), object: nil)
        #expect(monitor.posts.map(\.place?.line) == [line, nil])
        withExtendedLifetime((attachment, token)) {}
    }

    @Test func `join forwards Foundation's posts with their own places, and native posts with the place of the join`() {
        let (native, foundation) = (NativeNotificationCenter(), NotificationCenter())
        let (there, here) = (RecordingMonitor(), RecordingMonitor())
        let attachments = (foundation.attach(there), native.attach(here))
        let line: UInt = #line
        let token = native.join(Saved.self, with: foundation)
        foundation.post(Saved())
        native.post(Saved())
        #expect(here.posts.map(\.place?.line) == [line + 2, line + 3])
        #expect(there.posts.map(\.place?.line) == [line + 2, line + 1])
        withExtendedLifetime((attachments, token)) {}
    }

    // MARK: The place itself

    @Test func `places are equal if their files and lines are equal`() {
        let place = SourcePlace(fileID: "App/File.swift", line: 7)
        #expect(place == SourcePlace(fileID: "App/File.swift", line: 7))
        #expect(place != SourcePlace(fileID: "App/File.swift", line: 8))
        #expect(place != SourcePlace(fileID: "App/Other.swift", line: 7))
        #expect(Set([place, SourcePlace(fileID: "App/File.swift", line: 7)]).count == 1)
    }

    @Test func `an ObserverRegistration takes 32 bytes`() {
        #expect(MemoryLayout<ObserverRegistration>.size == 32)
    }
}
