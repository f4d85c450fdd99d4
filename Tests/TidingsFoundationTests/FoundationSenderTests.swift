import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Account: Sendable {}

private final class Folder: Hashable, Sendable {
    static func == (lhs: Folder, rhs: Folder) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

private protocol Device: AnyObject, Sendable {}
private final class Printer: Device {}

private struct AccountChanged: TypedNotification {
    static let name = "FoundationSenderTests.AccountChanged"
    let sender: Account
}

private struct FolderChanged: TypedNotification {
    static let name = "FoundationSenderTests.FolderChanged"
    let sender: Folder
}

private struct DeviceChanged: TypedNotification {
    static let name = "FoundationSenderTests.DeviceChanged"
    let sender: any Device
}

private struct LevelReached: TypedNotification {
    static let name = "FoundationSenderTests.LevelReached"
    let sender: String
}

private struct AnythingChanged: TypedNotification, Sendable {
    static let name = "FoundationSenderTests.AnythingChanged"
    let sender: (any Sendable)?
}

@Suite(.timeLimit(.ofRandomPrograms)) struct FoundationSenderTests {
    private let center = NotificationCenter()

    @Test func `promise 7, senders: objects match by identity, even if they are equal`() {
        let folder = Folder()
        let token = center.addObserver(for: FolderChanged.self, sender: folder) { _ in }
        #expect(center.post(FolderChanged(sender: folder)) == 1)
        #expect(center.post(FolderChanged(sender: Folder())) == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `promise 7, senders: values match by equality`() {
        let token = center.addObserver(for: LevelReached.self, sender: "one") { _ in }
        #expect(center.post(LevelReached(sender: ["o", "n", "e"].joined())) == 1)
        #expect(center.post(LevelReached(sender: "two")) == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `promise 7, senders: existentials match by the value they contain`() {
        let printer = Printer()
        let token = center.addObserver(for: DeviceChanged.self, sender: printer) { _ in }
        #expect(center.post(DeviceChanged(sender: printer)) == 1)
        #expect(center.post(DeviceChanged(sender: Printer())) == 0)
        withExtendedLifetime(token) {}
    }

    @Test func `promise 7, senders: an observer without a sender receives all posts, even those without a sender`() {
        struct Neither {}
        let account = Account()
        let tokens = [
            center.addObserver(for: AnythingChanged.self, sender: account) { _ in },
            center.addObserver(for: AnythingChanged.self, sender: 7) { _ in },
            center.addObserver(for: AnythingChanged.self, sender: Neither()) { _ in },
            center.addObserver(for: AnythingChanged.self, sender: nil) { _ in },
        ]
        #expect(center.post(AnythingChanged(sender: account)) == 2)
        #expect(center.post(AnythingChanged(sender: 7)) == 2)
        #expect(center.post(AnythingChanged(sender: 8)) == 1)
        #expect(center.post(AnythingChanged(sender: Neither())) == 1)
        #expect(center.post(AnythingChanged(sender: nil)) == 1)
        withExtendedLifetime(tokens) {}
    }

    @Test func `promise 7, senders: an observer limited to an object receives only untyped posts with that object`() {
        let account = Account()
        let received = ReceivedValues<Int>()
        let descriptor = PayloadDescriptor(name: Notification.Name("FoundationSenderTests.classic")) { _ in 1 }
        let token = center.addObserver(descriptor: descriptor, object: account) { received.append($0) }
        center.post(name: descriptor.name, object: account)
        center.post(name: descriptor.name, object: Account())
        center.post(name: descriptor.name, object: nil)
        #expect(received.values == [1])
        withExtendedLifetime(token) {}
    }

    @Test func `promise 7, senders: a deallocated sender ends the observation`() {
        let token: NotificationToken
        do {
            let account = Account()
            token = center.addObserver(for: AccountChanged.self, sender: account) { _ in }
            #expect(token.isActive)
        }
        #expect(!token.isActive)
    }

    @Test(arguments: [NotificationCenter(), NativeNotificationCenter()] as [any TypedNotificationCenter])
    func `promise 7, senders: no observer receives another sender's posts while senders are deallocated`(
        center: any TypedNotificationCenter
    ) {
        let count = repetitions(100_000)
        // A new sender may have the address of a deallocated sender whose observer is still registered.
        let received = ReceivedValues<Int>()
        var senders: [Account?] = []
        var tokens: [NotificationToken] = []
        for number in 0..<count {
            let account = Account()
            tokens.append(
                center.addObserver(for: AccountChanged.self, sender: account) { _ in received.append(number) })
            senders.append(account)
            if number % 2 == 1 { senders[number - 1] = nil }
        }
        for number in stride(from: 1, to: count, by: 2) {
            if let account = senders[number] { center.post(AccountChanged(sender: account)) }
        }
        #expect(received.values == Array(stride(from: 1, to: count, by: 2)))

        senders = []
        for _ in 0..<count {
            let account = Account()
            senders.append(account)
            center.post(AccountChanged(sender: account))
        }
        #expect(received.count == count / 2)
        #expect(tokens.allSatisfy { !$0.isActive })
    }
}
