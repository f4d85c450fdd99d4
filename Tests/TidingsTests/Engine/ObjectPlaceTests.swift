import Foundation
import Testing
import Tidings

private protocol Thing: Sendable {}
private protocol Item: AnyObject, Sendable {}
private final class First: Thing, Item {}
private final class Second: Thing, Item {}
extension Int: Thing {}
private struct Failure: Error, Hashable { let number: Int }
private final class Problem: Error {}

private struct OfThing: TypedNotification { let sender: any Thing }
private struct OfItem: TypedNotification { let sender: (any Item)? }
private struct OfNested: TypedNotification { let sender: First?? }
private struct OfError: TypedNotification { let sender: any Error }

/// Senders whose static type doesn't reveal whether they are objects or values. From the first post of
/// an object, the channel may learn where values of the sender's type hold the object's address. Later posts read the
/// address there, so each sender posts several times.
@Suite(.timeLimit(.minutes(2))) struct ObjectPlaceTests {
    let center = NativeNotificationCenter()
    fileprivate let first = First()
    fileprivate let other = First()
    fileprivate let second = Second()

    @Test func `senders in one existential are distinguished, whether they are values or objects of two classes`() {
        let tokens = [
            center.addObserver(for: OfThing.self, sender: first) { _ in },
            center.addObserver(for: OfThing.self, sender: second) { _ in },
            center.addObserver(for: OfThing.self, sender: 7) { _ in },
        ]
        for _ in 0..<3 {
            for sender: any Thing in [first, second, 7] { #expect(center.post(OfThing(sender: sender)) == 1) }
            #expect(center.post(OfThing(sender: other)) == 0)
            #expect(center.post(OfThing(sender: 8)) == 0)
            // An integer that equals the address of an object isn't that object.
            let address = Int(bitPattern: UInt(bitPattern: ObjectIdentifier(first)))
            #expect(center.post(OfThing(sender: address)) == 0)
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `errors that are objects and errors that are values are found as senders`() {
        let problem = Problem()
        let tokens = [
            center.addObserver(for: OfError.self, sender: Failure(number: 7)) { _ in },
            center.addObserver(for: OfError.self, sender: problem) { _ in },
        ]
        for _ in 0..<3 {
            #expect(center.post(OfError(sender: NSError(domain: "ObjectPlaceTests", code: 1))) == 0)
            #expect(center.post(OfError(sender: problem)) == 1)
            #expect(center.post(OfError(sender: Problem())) == 0)
            #expect(center.post(OfError(sender: Failure(number: 7))) == 1)
            #expect(center.post(OfError(sender: Failure(number: 8))) == 0)
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `objects in an optional class existential are found, and nil is a different sender`() {
        let tokens = [
            center.addObserver(for: OfItem.self, sender: first) { _ in },
            center.addObserver(for: OfItem.self, sender: second) { _ in },
        ]
        for _ in 0..<3 {
            #expect(center.post(OfItem(sender: first)) == 1)
            #expect(center.post(OfItem(sender: second)) == 1)
            #expect(center.post(OfItem(sender: other)) == 0)
            #expect(center.post(OfItem(sender: nil)) == 0)
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `an object in a nested optional is found, and nil at either level is a different sender`() {
        let token = center.addObserver(for: OfNested.self, sender: first) { _ in }
        for _ in 0..<3 {
            #expect(center.post(OfNested(sender: first)) == 1)
            #expect(center.post(OfNested(sender: .some(nil))) == 0)
            #expect(center.post(OfNested(sender: nil)) == 0)
        }
        withExtendedLifetime(token) {}
    }
}
