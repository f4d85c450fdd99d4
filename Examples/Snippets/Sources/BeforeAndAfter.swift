// A notification of Foundation's center, and the same notification as a type.
import Foundation
import TidingsFoundation

final class Account: Sendable {}

extension Notification.Name {
    static let deposit = Notification.Name("deposit")
}

// swift-format-ignore: the readme shows both side by side, in short lines.
func before(_ center: NotificationCenter, _ account: Account) {
    let token: any NSObjectProtocol
    token = center.addObserver(
        forName: .deposit, object: account, queue: nil
    ) { note in
        guard let amount = note.userInfo?["amount"] as? Int
        else { return }
        print(amount)
    }

    center.post(
        name: .deposit, object: account,
        userInfo: ["amount": 50])

    center.removeObserver(token)
}

struct DepositMade: TypedNotification {
    let sender: Account
    let amount: Int
}

// swift-format-ignore: the readme shows both side by side, in short lines.
func after(_ center: some TypedNotificationCenter, _ account: Account) {
    let token: NotificationToken
    token = center.addObserver(
        for: DepositMade.self, sender: account
    ) { note in
        print(note.amount)
    }

    center.post(
        DepositMade(sender: account, amount: 50))

    // The observer ends with its token.
    withExtendedLifetime(token) {}
}

let account = Account()
before(.default, account)
// → 50
after(NativeNotificationCenter(), account)
// → 50
