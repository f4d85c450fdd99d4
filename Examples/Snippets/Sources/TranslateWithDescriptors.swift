// Descriptors for a notification of your own, and for one of another framework.
import Foundation
import TidingsFoundation

// snippet.own
struct DownloadFinished: NotificationDescriptor {
    struct Payload {
        let file: String
        let byteCount: Int
    }

    let name = Notification.Name("DownloadFinished")
}
// snippet.end

// snippet.foreign
/// A classic notification of a player, which has its data in `userInfo`.
struct TrackChanged: NotificationDescriptor {
    struct Payload {
        let title: String
        let seconds: Double?
    }

    let name = Notification.Name("PlayerTrackChanged")

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        let reader = UserInfoReader(notification)
        return Payload(
            title: try reader.value(for: "title", as: String.self),
            seconds: try reader.value(for: "seconds", as: Double?.self))
    }

    func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        var userInfo: [AnyHashable: Any] = ["title": payload.title]
        userInfo["seconds"] = payload.seconds
        return Notification(name: name, userInfo: userInfo)
    }
}
// snippet.end

let center = NotificationCenter()
var tokens = NotificationTokens()

// snippet.observe
center.addObserver(descriptor: DownloadFinished()) { payload in
    print("\(payload.file) has \(payload.byteCount) bytes.")
}
.store(in: &tokens)

center.addObserver(resultOf: TrackChanged()) { result in
    switch result {
    case .success(let track): print("Now playing: \(track.title)")
    case .failure(let error): print(error)
    }
}
.store(in: &tokens)

try center.post(DownloadFinished(), payload: .init(file: "tidings.zip", byteCount: 1_024))
// → tidings.zip has 1024 bytes.

// Classic posts under the same name, one valid and one invalid.
center.post(name: Notification.Name("PlayerTrackChanged"), object: nil, userInfo: ["title": "Greensleeves"])
// → Now playing: Greensleeves
center.post(name: Notification.Name("PlayerTrackChanged"), object: nil, userInfo: ["title": 7])
// → PlayerTrackChanged: a value of another type under title: expected String, found Int 7
// snippet.end

actor Downloads {
    func add(_ payload: DownloadFinished.Payload) { print("\(payload.file) is added.") }
}

@MainActor final class Screen {
    func show(_ payload: DownloadFinished.Payload) { print("\(payload.file) is shown.") }
}

/// An archive that works on a queue and may fail.
final class Archive: Sendable {
    func store(_ payload: DownloadFinished.Payload) throws { print("\(payload.file) is stored.") }
}

/// An observer of a descriptor can run wherever an observer of a typed notification can.
func observe(_ downloads: Downloads, _ screen: Screen, _ archive: Archive, _ queue: DispatchQueue) {
    center.addObserver(downloads, on: .actor, descriptor: DownloadFinished()) { downloads, payload in
        downloads.add(payload)
    }
    center.addObserver(screen, on: .main, descriptor: DownloadFinished()) { screen, payload in screen.show(payload) }
    center.addObserver(archive, on: .queue(queue), descriptor: DownloadFinished()) { me, payload in
        try me.store(payload)
    }
}
