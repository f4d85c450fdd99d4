// A class that observes a set of keyboard events, and one that observes a set of its own.
import Foundation
import TidingsFoundation

// snippet.observer
@MainActor
final class ViewController: KeyboardNotificationObserver {
    let notificationCenter: NotificationCenter

    init(notificationCenter: NotificationCenter = .default) { self.notificationCenter = notificationCenter }

    func viewWillAppear() { registerKeyboardNotifications([.willShow, .willHide]) }
    func viewDidDisappear() { deregisterKeyboardNotifications() }

    func receivedKeyboardNotification(_ notification: KeyboardNotification, payload: KeyboardPayload) {
        switch notification {
        case .willShow: print("It comes up by \(Int(payload.endingFrame.height)) points.")
        case .willHide: print("It goes within \(payload.animationDuration) seconds.")
        default: break
        }
    }
}
// snippet.end

// The notifications that UIKit posts on the main thread. The classic dictionaries are the same on every system.
let center = NotificationCenter()
let shown = CGRect(x: 0, y: 500, width: 400, height: 300)
let hidden = CGRect(x: 0, y: 800, width: 400, height: 300)
let up = KeyboardPayload(
    startingFrame: hidden, endingFrame: shown, animationDuration: 0.25, animationCurve: .keyboard, isLocal: true)
let down = KeyboardPayload(
    startingFrame: shown, endingFrame: hidden, animationDuration: 0.25, animationCurve: .keyboard, isLocal: true)

let controller = ViewController(notificationCenter: center)
controller.viewWillAppear()
try center.post(KeyboardNotification.willShow, payload: up)
// → It comes up by 300 points.
try center.post(KeyboardNotification.didShow, payload: up)
try center.post(KeyboardNotification.willHide, payload: down)
// → It goes within 0.25 seconds.
controller.viewDidDisappear()
try center.post(KeyboardNotification.willShow, payload: up)

// snippet.own
enum PlayerEvent: String, MainActorNotificationDescriptor {
    case started, stopped

    typealias Payload = String
    var name: Notification.Name { Notification.Name("PlayerEvent.\(rawValue)") }
}

@MainActor
protocol PlayerObserver: NotificationSetObserver {
    func received(_ event: PlayerEvent, track: String)
}

extension PlayerObserver {
    func registerPlayerEvents(_ events: Set<PlayerEvent>) {
        registerNotifications(events) { me, event, track in me.received(event, track: track) }
    }
}
// snippet.end

@MainActor
final class Display: PlayerObserver {
    let notificationCenter = center
    func received(_ event: PlayerEvent, track: String) { print("\(track) \(event)") }
}

let display = Display()
display.registerPlayerEvents([.started])
try center.post(PlayerEvent.started, payload: "Greensleeves")
// → Greensleeves started
try center.post(PlayerEvent.stopped, payload: "Greensleeves")
