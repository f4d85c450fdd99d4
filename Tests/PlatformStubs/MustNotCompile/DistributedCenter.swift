// The compiler rejects each marked line, and the diagnostic recommends posting `bridged()`.
import AppleFoundationStub
import TidingsFoundation

struct Synced: BridgedNotification, Codable {
    static let userInfoForm = UserInfoForm.propertyList
    var keys: [String]
}

struct Shown: MainActorBridgedNotification, Codable {}

@MainActor
func post(on center: DistributedNotificationCenter) async throws {
    center.post(Synced(keys: []))  // refused
    center.post(Shown())  // refused
    await center.deliver(Synced(keys: []))  // refused
    let notification = try Synced(keys: []).bridged()
    center.post(name: notification.name, object: nil, userInfo: notification.userInfo)
    center.addObserver(for: Synced.self) { note in print(note.keys) }.cancel()
}
