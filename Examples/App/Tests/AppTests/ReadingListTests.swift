import Testing
import Tidings
import TidingsTesting

@testable import App

@MainActor
@Suite(.timeLimit(.minutes(1))) struct ReadingListTests {
    let recorder = RecordingNotificationCenter()
    let messages = RecordingMessageProducer<AppMessage>()
    let clock = ManualClock()

    private func makeList() -> ReadingList { ReadingList(center: recorder, messages: messages, clock: clock) }

    @Test func `a saved article is in the library and in the list`() async {
        let (list, library) = (makeList(), Library(center: recorder))
        list.edit("Swift")
        list.save()
        await recorder.expectPosted(
            exactly: .equal(to: SaveRequested(title: "Swift")),
            .equal(to: ArticleSaved(title: "Swift", number: 1)))
        #expect(list.titles == ["Swift"])
        #expect(list.preview.title == "Swift")
        #expect(messages.dispatched == [.editing, .saved(count: 1)])
        withExtendedLifetime(library) {}
    }

    @Test func `the list is saving until the library has saved the article`() async {
        let (list, library) = (makeList(), Library(center: recorder))
        recorder.gate.close()
        list.edit("Swift")
        list.save()
        #expect(list.isSaving)
        #expect(recorder.gate.queued.map(\.text) == [#"SaveRequested(title: "Swift")"#])
        await recorder.gate.releaseNext()
        #expect(list.isSaving)
        await recorder.gate.open()
        #expect(!list.isSaving)
        withExtendedLifetime(library) {}
    }

    @Test func `a draft is saved five seconds after the last change`() async {
        let list = makeList()
        await recorder.expectPosted(.equal(to: SaveRequested(title: "Swift")), within: .seconds(5), on: clock) {
            list.edit("Swift")
            await clock.waitForSleepers()
            clock.advance(by: .seconds(5))
        }
    }

    @Test func `releasing a list also releases its preview`() async {
        var list: ReadingList? = makeList()
        list?.edit("Swift")
        list?.save()
        await recorder.expectReleased(&list) { $0.preview }
        await recorder.expectNoObservers()
    }

    @Test func `a closed list no longer observes`() async {
        let list = makeList()
        list.close()
        await recorder.expectNoObservers()
        withExtendedLifetime(list) {}
    }
}
