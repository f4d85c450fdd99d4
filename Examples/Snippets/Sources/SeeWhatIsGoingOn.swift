// The list of observers with their source locations and queues, and a monitor that receives events.

import Tidings

struct Saved: TypedNotification {
    let sender: Int
}

let center = NativeNotificationCenter()

// snippet.observations
let token = center.addObserver(for: Saved.self, sender: 7) { _ in }
let sequence = center.notifications(of: Saved.self, buffering: .latest(2))
for document in 1...3 { center.post(Saved(sender: document)) }

print(center.observations.table)
// → notification            sender  owner  delivery       queued  dropped  running  registered at
// → SeeWhatIsGoingOn.Saved  Int            in the post                              SeeWhatIsGoingOn/SeeWhatIsGoingOn.swift:12
// → SeeWhatIsGoingOn.Saved                 as a sequence  2       1                 SeeWhatIsGoingOn/SeeWhatIsGoingOn.swift:13
// snippet.end

// snippet.monitor
struct Printer: NotificationMonitor {
    func receive(_ event: NotificationEvent) {
        switch event {
        case .posted(let post): print("posted: \(post.subject), to \(post.observers)")
        case .delivered(let delivery): print("delivered: \(delivery.observer.delivery)")
        case .dropped(_, let total): print("dropped: \(total)")
        case .warning(let warning): print("warning: \(warning)")
        default: break
        }
    }
}

let attachment = center.attach(Printer(), thresholds: WarningThresholds(waiting: 1, ownerAge: nil))
center.post(Saved(sender: 7))
// → delivered: in the post
// → warning: 2 notifications wait for an observer: SeeWhatIsGoingOn.Saved, as a sequence, registered at SeeWhatIsGoingOn/SeeWhatIsGoingOn.swift:13
// → dropped: 2
// → posted: SeeWhatIsGoingOn.Saved, to 2
attachment.detach()
// → warning: 1 more notification was dropped, 2 in all: SeeWhatIsGoingOn.Saved, as a sequence, registered at SeeWhatIsGoingOn/SeeWhatIsGoingOn.swift:13
// snippet.end

// snippet.interests
struct PostPrinter: NotificationMonitor {
    let interests: MonitorInterests = [.posts, .drops]
    func receive(_ event: NotificationEvent) { print(event) }
}

func attachPrinters() -> [MonitorAttachment] {
    [
        center.attach(PostPrinter()),
        // Replaces the monitor's own interests.
        center.attach(PostPrinter(), interests: [.posts, .drops, .warnings]),
        // One in a hundred of each thread's posts, with the calls and waits that follow from it.
        center.attach(PostPrinter(), samplingInterval: 100),
    ]
}
// snippet.end

struct CacheCleared: TypedNotification {}

/// The first closure captures the owner, so the owner and the observation keep each other alive.
final class Cached: Sendable {
    func observe(_ center: some TypedNotificationCenter) {
        // swift-format-ignore: the article shows both in a line each.
        center.addObserver(self, for: CacheCleared.self) { _, _ in self.reload() }  // keeps self alive
        center.addObserver(self, for: CacheCleared.self) { me, _ in me.reload() }  // doesn't
    }

    func reload() {}
}
