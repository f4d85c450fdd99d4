import TidingsTesting
import XCTest

@testable import App

/// A test with XCTest, which can use the expectations of TidingsTesting, too.
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
