import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct NotificationDecodingErrorTests {
    @Test func `the description names the notification, the key, the expected type and the actual type`() {
        let error = NotificationDecodingError(
            notification: "UIKeyboardWillShow", keyPath: ["frame", "x"], expected: "Double", found: "String",
            reason: .mistyped)
        #expect(
            error.description
                == "UIKeyboardWillShow: a value of another type under frame.x: expected Double, found String")
    }

    @Test func `the description omits missing parts`() {
        let error = NotificationDecodingError(
            notification: "N", keyPath: [], expected: "a dictionary", found: nil, reason: .missing)
        #expect(error.description == "N: no value: expected a dictionary")
    }
}
