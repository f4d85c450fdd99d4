import Foundation
import Program
import TidingsFoundation

// The half-way version. All posts are typed, and so are the two observers that had a defect. The other observers are
// unchanged.

/// An account, which posts its changes.
final class Account: Sendable {
    let name: String
    private let center: NotificationCenter

    init(name: String, center: NotificationCenter) {
        self.name = name
        self.center = center
    }

    func markRead(_ articleIDs: Set<String>) {
        center.post(ArticlesRead(sender: self, articleIDs: articleIDs))
    }

    func set(_ status: AccountStatus) {
        let entitlements = status == .paid ? [Entitlement(product: "sync")] : []
        center.post(AccountChanged(sender: self, status: status, entitlements: entitlements))
    }

    func refresh() {
        center.post(RefreshChanged(event: .started, sender: self, feeds: 3))
        center.post(RefreshChanged(event: .finished, sender: self, feeds: 3))
    }
}

/// Counts the unread articles of one account. Not converted yet.
final class UnreadCounter {
    let count = Counter(100)
    private let center: NotificationCenter
    private var observer: NSObjectProtocol?

    init(of account: Account, center: NotificationCenter) {
        self.center = center
        observer = center.addObserver(forName: .articlesRead, object: account, queue: nil) { [count] notification in
            guard let ids = notification.userInfo?["articleIDs"] as? Set<String> else { return }
            count.add(-ids.count)
        }
    }

    deinit { observer.map(center.removeObserver) }
}

/// Counts the feeds that are being refreshed. Not converted yet.
final class RefreshIndicator {
    let running = Counter(0)
    let finished = Counter(0)
    private let center: NotificationCenter
    private var observers: [NSObjectProtocol] = []

    init(center: NotificationCenter) {
        self.center = center
        for (name, sign) in [(Notification.Name.refreshStarted, 1), (.refreshFinished, -1)] {
            let observer = center.addObserver(forName: name, object: nil, queue: nil) { [running, finished] note in
                guard let feeds = note.userInfo?["feeds"] as? Int else { return }
                running.add(sign * feeds)
                if sign < 0 { finished.add(feeds) }
            }
            observers.append(observer)
        }
    }

    deinit { observers.forEach(center.removeObserver) }
}

/// A pane that shows how many articles were read. Converted: the center holds the pane weakly, and the observation ends
/// with the pane.
final class Pane: Sendable {
    private let shown = Counter(0)

    init(center: NotificationCenter) {
        center.addObserver(self, for: ArticlesRead.self) { pane, _ in pane.shown.add(1) }
    }
}

package final class HalfwayReader: Reader, @unchecked Sendable {
    package let log = ActivityLog()
    package let badge = Badge()
    private let center: NotificationCenter
    private let accounts: [String: Account]
    private let counters: [String: UnreadCounter]
    private let indicator: RefreshIndicator
    private var observers: [NSObjectProtocol] = []

    package init(center: NotificationCenter) {
        self.center = center
        let names = ["home", "work"]
        let accounts = Dictionary(uniqueKeysWithValues: names.map { ($0, Account(name: $0, center: center)) })
        self.accounts = accounts
        counters = accounts.mapValues { UnreadCounter(of: $0, center: center) }
        indicator = RefreshIndicator(center: center)
        observers.append(
            center.addObserver(forName: .accountChanged, object: nil, queue: .main) { [badge] notification in
                guard let status = notification.userInfo?[AccountKey.status] as? AccountStatus else { return }
                MainActor.assumeIsolated { badge.show(status.rawValue) }
            })
        // Converted: the log receives one notification at a time, in the order of the posts.
        center.addObserver(log, on: .actor, for: ArticlesRead.self) { log, note in
            log.add(note.articleIDs.sorted().joined(separator: ","))
        }
    }

    deinit { observers.forEach(center.removeObserver) }

    package func markRead(_ articleIDs: Set<String>, in account: String) { accounts[account]?.markRead(articleIDs) }
    package func set(_ status: AccountStatus, of account: String) { accounts[account]?.set(status) }
    package func refresh(_ account: String) { accounts[account]?.refresh() }
    package func unreadCount(of account: String) -> Int { counters[account]?.count.value ?? 0 }
    package var refreshes: (running: Int, finished: Int) { (indicator.running.value, indicator.finished.value) }
    package func openPane() -> AnyObject { Pane(center: center) }
}
