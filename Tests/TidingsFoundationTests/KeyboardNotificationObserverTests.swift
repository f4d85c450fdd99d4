import Foundation
import Testing
import TidingsFoundation

@MainActor
private class ViewController {
    let notificationCenter: NotificationCenter
    var events: [KeyboardNotification] = []
    var heights: [Double] = []

    init(_ center: NotificationCenter) { notificationCenter = center }
}

extension ViewController: KeyboardNotificationObserver {
    func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload) {
        switch notification {
        case .willShow: heights.append(payload.endingFrame.height)
        default: break
        }
        events.append(notification)
    }
}

private final class SpecialViewController: ViewController {}

private final class Plain: KeyboardNotificationObserver {
    var events: [KeyboardNotification] = []

    func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload) {
        events.append(notification)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct KeyboardNotificationObserverTests {
    private let center = NotificationCenter()
    private let payload = KeyboardPayload(
        startingFrame: .zero, endingFrame: CGRect(x: 0, y: 0, width: 320, height: 216), animationDuration: 0.25,
        animationCurve: .easeInOut, isLocal: true)

    private func postAll() throws {
        for event in KeyboardNotification.allCases { try center.post(event, payload: payload) }
    }

    @Test func `an observer receives the events it registered for, during the post`() throws {
        let controller = ViewController(center)
        controller.registerKeyboardNotifications([.willShow, .willHide])
        try postAll()
        #expect(controller.events == [.willShow, .willHide])
        #expect(controller.heights == [216])
    }

    @Test func `registering again replaces the earlier registration`() throws {
        let controller = SpecialViewController(center)
        controller.registerKeyboardNotifications([.willShow, .willHide])
        controller.registerKeyboardNotifications([.didHide])
        controller.registerKeyboardNotifications([.didHide])
        try postAll()
        #expect(controller.events == [.didHide])
    }

    @Test func `an observer can deregister at any time`() throws {
        let controller = ViewController(center)
        controller.deregisterKeyboardNotifications()
        controller.registerKeyboardNotifications([.willShow])
        controller.deregisterKeyboardNotifications()
        controller.deregisterKeyboardNotifications()
        try postAll()
        #expect(controller.events.isEmpty)
        controller.registerKeyboardNotifications([.willShow])
        try postAll()
        #expect(controller.events == [.willShow])
    }

    @Test func `an observer isn't retained, and its registration ends when it is deallocated`() throws {
        weak let gone: ViewController?
        do {
            let controller = ViewController(center)
            gone = controller
            controller.registerKeyboardNotifications([.willShow])
            try postAll()
        }
        #expect(gone == nil)
        try postAll()
    }

    @Test func `an observer without a center of its own uses the default center`() throws {
        let plain = Plain()
        #expect(plain.notificationCenter === NotificationCenter.default)
        plain.registerKeyboardNotifications([.didChangeFrame])
        try NotificationCenter.default.post(KeyboardNotification.didChangeFrame, payload: payload)
        #expect(plain.events == [.didChangeFrame])
        plain.deregisterKeyboardNotifications()
    }
}
