import Foundation
import Program
import Testing
import TidingsFoundation
import TidingsTesting

@testable import Done
@testable import Halfway

/// Tests that each typed post produces the same Foundation notification as the untyped post that it replaced.
@Suite struct SamePostTests {
    private let account = Halfway.Account(name: "home", center: NotificationCenter())

    @Test func `marking articles as read posts the same notification as before`() {
        expectSamePost(Halfway.ArticlesRead(sender: account, articleIDs: ["a"])) { center in
            center.post(name: .articlesRead, object: account, userInfo: ["articleIDs": Set(["a"])])
        }
    }

    @Test func `changing an account posts the same notification as before`() {
        let entitlements = [Entitlement(product: "sync")]
        expectSamePost(Halfway.AccountChanged(sender: account, status: .paid, entitlements: entitlements)) { center in
            center.post(
                name: .accountChanged, object: account,
                userInfo: [AccountKey.status: AccountStatus.paid, AccountKey.entitlements: entitlements])
        }
    }

    @Test func `starting a refresh posts the same notification as before`() {
        expectSamePost(Halfway.RefreshChanged(event: .started, sender: account, feeds: 3)) { center in
            center.post(name: .refreshStarted, object: account, userInfo: ["feeds": 3])
        }
    }

    /// The last step: a test that passes in a recording center and needs no waiting.
    @Test func `the finished version can be tested without Foundation's center`() async {
        let recorder = RecordingNotificationCenter()
        let reader = DoneReader(on: recorder)
        reader.markRead(["a"], in: "home")
        await recorder.expectPosted(exactly: .any(Done.ArticlesRead.self) { $0.articleIDs == ["a"] })
        #expect(await reader.log.entries == ["a"])
    }
}
