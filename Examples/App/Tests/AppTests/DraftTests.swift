import TidingsTesting
import XCTest

@testable import App

/// A test that uses XCTest. The expectations of TidingsTesting also work with XCTest.
@MainActor
final class DraftTests: XCTestCase {
    func testAnEmptyDraftIsNotSaved() async {
        let recorder = RecordingNotificationCenter()
        let messages = RecordingMessageProducer<AppMessage>()
        let list = ReadingList(center: recorder, messages: messages, clock: ManualClock())
        list.save()
        await recorder.expectNothingPosted()
        XCTAssertFalse(list.isSaving)
    }
}
