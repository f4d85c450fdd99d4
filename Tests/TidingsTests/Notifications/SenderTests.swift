import TestSupport
import Testing
import Tidings
import TidingsTesting

private final class Twin: Hashable, Sendable {
    static func == (lhs: Twin, rhs: Twin) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
private class Base: @unchecked Sendable {}  // stateless
private final class Derived: Base, @unchecked Sendable {}  // stateless
private actor Store {}
private protocol Titled: Sendable {}
private protocol ClassTitled: AnyObject, Sendable {}
extension Account: Titled, ClassTitled {}
extension Int: Titled {}
private struct Shapeless: Titled {}
private enum Place: Hashable, Sendable { case home, away(String) }

private struct From<Sender>: TypedNotification { let sender: Sender }

/// The compiler only knows that the sender of this notification is `Hashable`.
private struct FromHashable<Sender: Hashable & Sendable>: TypedNotification { let sender: Sender }

@Suite(.timeLimit(.minutes(2))) struct SenderTests {
    /// Returns whether an observer of the first sender receives a post from the second.
    private func hears<Sender: Sendable>(_ observed: Sender, _ posted: Sender) -> Bool {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: From<Sender>.self, sender: observed) { _ in }
        let everyone = center.addObserver(for: From<Sender>.self) { _ in }
        let calls = center.post(From(sender: posted))
        withExtendedLifetime((token, everyone)) {}
        #expect(calls == 1 || calls == 2)
        return calls == 2
    }

    @Test func `objects are distinguished by identity`() {
        let (account, twin, store) = (Account(), Twin(), Store())
        #expect(hears(account, account) && !hears(account, Account()))
        #expect(hears(twin, twin) && !hears(twin, Twin()))
        #expect(hears(store, store) && !hears(store, Store()))
    }

    @Test func `an object is the same sender when typed as its superclass or a protocol`() {
        let derived = Derived()
        #expect(hears(derived as Base, derived) && !hears(derived as Base, Derived()))
        let account = Account()
        #expect(hears(account as any ClassTitled, account) && !hears(account as any ClassTitled, Account()))
        #expect(
            hears(account as any AnyObject & Sendable, account) && !hears(account as any AnyObject & Sendable, derived))
        #expect(hears(account as any Titled, account) && !hears(account as any Titled, Account()))
        let object: any AnyObject & Sendable = account
        #expect(hears(object, account) && !hears(object, derived))
    }

    @Test func `values are distinguished by equality`() {
        #expect(hears(1, 1) && !hears(1, 2))
        #expect(hears("a", "a") && !hears("a", "b"))
        #expect(hears([1, 2], [1, 2]) && !hears([1, 2], [2, 1]))
        #expect(hears(["a": 1], ["a": 1]) && !hears(["a": 1], [:]))
        #expect(hears(Place.home, .home) && !hears(Place.home, .away("")))
        #expect(hears(Place.away("x"), .away("x")) && !hears(Place.away("x"), .away("y")))
        #expect(hears(1 as any Hashable & Sendable, 1) && !hears(1 as any Hashable & Sendable, "1"))
        #expect(hears(1 as any Titled, 1) && !hears(1 as any Titled, 2))
    }

    @Test func `a sender of type any Sendable is compared by its dynamic kind: an object, an optional or a value`() {
        let account = Account()
        let twin = Twin()
        #expect(
            hears(account as any Sendable, account) && !hears(account as any Sendable, Account())
                && !hears(account as any Sendable, 1))
        #expect(
            hears(twin as (any Sendable)?, twin) && !hears(twin as (any Sendable)?, Twin())
                && !hears(twin as (any Sendable)?, nil))
        #expect(hears(1 as any Sendable, 1) && !hears(1 as any Sendable, 2) && !hears(1 as any Sendable, "1"))
        let one: Int? = 1
        #expect(hears(1 as (any Sendable)?, .some(one as any Sendable)))
    }

    @Test func `in generic code, a Hashable sender is compared by its dynamic kind: an object, an optional or a value`()
    {
        func hears<Sender: Hashable & Sendable>(_ observed: Sender, _ posted: Sender) -> Bool {
            let center = NativeNotificationCenter()
            let token = center.addObserver(for: FromHashable<Sender>.self, sender: observed) { _ in }
            let calls = center.post(FromHashable(sender: posted))
            withExtendedLifetime(token) {}
            return calls == 1
        }
        let twin = Twin()
        #expect(hears(twin, twin) && !hears(twin, Twin()))
        #expect(hears(twin as Twin?, twin) && !hears(twin as Twin?, Twin()) && hears(nil as Twin?, twin))
        #expect(hears(nil as Int?, 1) && hears(1 as Int?, 1) && !hears(1 as Int?, 2))
        #expect(hears("a", "a") && !hears("a", "b"))
    }

    @Test func `optional senders are unwrapped before they are compared`() {
        let account = Account()
        #expect(hears(account as Account?, account) && !hears(account as Account?, Account()))
        #expect(hears(account as Account??, account) && !hears(account as Account??, .some(nil)))
        #expect(hears(1 as Int???, 1) && !hears(1 as Int???, 2) && !hears(1 as Int???, .some(.some(nil))))
    }

    @Test func `an observer whose sender is nil or Void receives posts from all senders`() {
        #expect(hears(nil as Account?, Account()))
        #expect(hears(nil as (any Sendable)?, 1))
        #expect(hears(.some(nil) as Int??, 1))
        #expect(hears((), ()))
        #expect(hears(() as any Sendable, 1))
    }

    @Test func `a value that is neither an object nor Hashable equals no other`() {
        let shapeless = Shapeless()
        #expect(!hears(shapeless, shapeless))
        #expect(!hears(shapeless as any Sendable, shapeless))
        #expect(!hears(shapeless as any Titled, shapeless))
        #expect(!hears((1, 2), (1, 2)))
        let closure: @Sendable () -> Void = {}
        #expect(!hears(closure, closure))
    }

    @Test func `many senders with equal hash values are distinguished`() {
        struct Crowded: Hashable {
            let number: Int
            func hash(into hasher: inout Hasher) {}
        }
        let center = NativeNotificationCenter()
        let received = ReceivedValues<Int>()
        var tokens = (0..<100).map { number in
            center.addObserver(for: From<Crowded>.self, sender: Crowded(number: number)) { _ in received.append(number)
            }
        }
        for number in stride(from: 0, to: 100, by: 2) { tokens[number].cancel() }
        for number in 0..<100 { center.post(From(sender: Crowded(number: number))) }
        #expect(received.values == Array(stride(from: 1, to: 100, by: 2)))
        tokens = []
    }

    @Test func `a value sender is kept exactly as long as its observers`() {
        final class Key: Sendable {}
        struct Holding: Hashable {
            let key: Key
            static func == (lhs: Holding, rhs: Holding) -> Bool { lhs.key === rhs.key }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(key)) }
        }
        let center = NativeNotificationCenter()
        weak var key: Key?
        var token: NotificationToken?
        do {
            let holding = Holding(key: Key())
            key = holding.key
            token = center.addObserver(for: From<Holding>.self, sender: holding) { _ in }
        }
        #expect(key != nil)
        token?.cancel()
        #expect(key == nil)
        token = nil
    }
}
