import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite struct RecorderTests {
    @Test func `a recorder lists posts`() {
        let recorder = RecordingNotificationCenter()
        recorder.post(Saved(id: 1))
        print(recorder)
    }
}
