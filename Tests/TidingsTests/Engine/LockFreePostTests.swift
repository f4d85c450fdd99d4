import Foundation
import TestSupport
import Testing
import Tidings
import TidingsEngine

private protocol Topic: AnyObject, Sendable {}
private final class Subject: Topic {}
private actor Bank {}
private final class Model: Sendable {}

private struct Plain: TypedNotification {}
private struct OfObject: TypedNotification { let sender: Subject }
private struct OfOptional: TypedNotification { let sender: Subject? }
private struct OfAny: TypedNotification { let sender: any Topic }
private struct OfActor: TypedNotification { let sender: Bank }
private struct OfInt: TypedNotification { let sender: Int }
private struct OfString: TypedNotification { let sender: String }
private struct OnMain: MainActorNotification {}

#if DEBUG
    private struct Silent: NotificationMonitor {
        func receive(_ event: NotificationEvent) {}
    }

    /// Common posts take no lock. Debug builds count locks; see ``LockCount``.
    @Suite(.timeLimit(.minutes(2))) struct LockFreePostTests {
        let center = NativeNotificationCenter()
        fileprivate let subject = Subject()

        /// Returns the smallest number of locks that a repeated post takes. The first post of a thread takes more
        /// locks, and so does a post while parallel tests occupy all lanes, the engine's slots for running posts.
        private func locks(_ post: () -> Int, reached: Int, expecting expected: Int = 0) -> Int {
            var least = Int.max
            for _ in 0..<20_000 where least > expected {
                let before = LockCount.ofThisThread
                let calls = post()
                least = min(least, LockCount.ofThisThread - before)
                if calls != reached { Issue.record("\(calls) observers called, not \(reached)") }
                // A thread that is interrupted during a post keeps its lane until it runs again.
                if least > expected { sched_yield() }
            }
            return least
        }

        @Test func `LockCount counts each lock that a thread takes`() {
            let lock = Lock(0)
            let before = LockCount.ofThisThread
            lock.withLock { $0 = 1 }
            _ = lock.withLockIfAvailable { $0 }
            #expect(LockCount.ofThisThread == before + 2)
        }

        @Test func `a post to an observer without a sender takes no lock`() {
            let token = center.addObserver(for: Plain.self) { _ in }
            #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
            withExtendedLifetime(token) {}
        }

        @Test func `a post to an observer that is tied to an owner takes no lock`() {
            let model = Model()
            center.addObserver(model, for: Plain.self) { _, _ in }
            #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
        }

        @Test func `a post to an observer of one object takes no lock`() {
            let token = center.addObserver(for: OfObject.self, sender: subject) { _ in }
            #expect(locks({ center.post(OfObject(sender: subject)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfObject(sender: Subject())) }, reached: 0) == 0)
            withExtendedLifetime(token) {}
        }

        @Test(arguments: [1, 16, 17, 1000])
        func `a post takes no lock if observers of one object are tied to owners`(count: Int) {
            let models = (0..<count).map { _ in Model() }
            for model in models { center.addObserver(model, for: OfObject.self, sender: subject) { _, _ in } }
            #expect(locks({ center.post(OfObject(sender: subject)) }, reached: count) == 0)
            #expect(locks({ center.post(OfObject(sender: Subject())) }, reached: 0) == 0)
            withExtendedLifetime(models) {}
        }

        @Test func `a post that finds an owner deallocated takes the lock, and the next one does not`() {
            var model: Model? = Model()
            if let model { center.addObserver(model, for: OfObject.self, sender: subject) { _, _ in } }
            let token = center.addObserver(for: OfObject.self, sender: subject) { _ in }
            model = nil
            let before = LockCount.ofThisThread
            center.post(OfObject(sender: Subject()))
            #expect(LockCount.ofThisThread > before)
            #expect(locks({ center.post(OfObject(sender: subject)) }, reached: 1) == 0)
            withExtendedLifetime(token) {}
        }

        @Test func `a post takes no lock if a sequence is limited to an object`() {
            let sequence = center.notifications(of: OfObject.self, sender: subject)
            let other = Subject()
            let token = center.addObserver(for: OfObject.self, sender: other) { _ in }
            #expect(locks({ center.post(OfObject(sender: other)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfObject(sender: Subject())) }, reached: 0) == 0)
            withExtendedLifetime((sequence, token)) {}
        }

        @Test func `a post takes no lock if a sequence is limited to a value`() {
            let sequence = center.notifications(of: OfInt.self, sender: 1)
            #expect(locks({ center.post(OfInt(sender: 2)) }, reached: 0) == 0)
            withExtendedLifetime(sequence) {}
        }

        @Test func `a post from an optional object, an existential object or an actor takes no lock`() {
            let bank = Bank()
            let tokens = [
                center.addObserver(for: OfOptional.self, sender: subject) { _ in },
                center.addObserver(for: OfAny.self, sender: subject) { _ in },
                center.addObserver(for: OfActor.self, sender: bank) { _ in },
            ]
            #expect(locks({ center.post(OfOptional(sender: subject)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfOptional(sender: nil)) }, reached: 0) == 0)
            #expect(locks({ center.post(OfAny(sender: subject)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfActor(sender: bank)) }, reached: 1) == 0)
            withExtendedLifetime(tokens) {}
        }

        @Test func `a post from a value takes no lock`() {
            let tokens = [
                center.addObserver(for: OfInt.self, sender: 7) { _ in },
                center.addObserver(for: OfString.self, sender: "seven") { _ in },
            ]
            #expect(locks({ center.post(OfInt(sender: 7)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfInt(sender: 8)) }, reached: 0) == 0)
            #expect(locks({ center.post(OfString(sender: "seven")) }, reached: 1) == 0)
            withExtendedLifetime(tokens) {}
        }

        @Test @MainActor func `a post of a main-actor notification takes no lock`() {
            let token = center.addObserver(for: OnMain.self) { _ in }
            #expect(locks({ center.post(OnMain()) }, reached: 1) == 0)
            withExtendedLifetime(token) {}
        }

        // MARK: With a monitor

        @Test(arguments: [MonitorInterests.everything, .posts, [.posts, .deliveries], .warnings, []])
        func `common posts take no lock while a monitor is attached`(interests: MonitorInterests) {
            let attachments = [
                center.attach(Silent(), interests: interests), center.attach(Silent(), interests: interests),
            ]
            let tokens = [
                center.addObserver(for: Plain.self) { _ in }, center.addObserver(for: Plain.self) { _ in },
                center.addObserver(for: OfObject.self) { _ in },
                center.addObserver(for: OfInt.self, sender: 7) { _ in },
                center.addObserver(for: OfString.self, sender: "seven") { _ in },
            ]
            #expect(locks({ center.post(Plain()) }, reached: 2) == 0)
            #expect(locks({ center.post(OfObject(sender: subject)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfInt(sender: 7)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfString(sender: "seven")) }, reached: 1) == 0)
            withExtendedLifetime((attachments, tokens)) {}
        }

        @Test(arguments: [MonitorInterests.everything, .posts])
        func `a monitored post takes no lock if observers have an owner or one object as sender`(
            interests: MonitorInterests
        ) {
            let (model, bank) = (Model(), Bank())
            let attachment = center.attach(Silent(), interests: interests)
            center.addObserver(model, for: Plain.self) { _, _ in }
            center.addObserver(model, for: OfObject.self, sender: subject) { _, _ in }
            let tokens = [
                center.addObserver(for: OfOptional.self, sender: subject) { _ in },
                center.addObserver(for: OfAny.self, sender: subject) { _ in },
                center.addObserver(for: OfActor.self, sender: bank) { _ in },
            ]
            func everyPostTakesNoLock() {
                #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
                #expect(locks({ center.post(OfObject(sender: subject)) }, reached: 1) == 0)
                #expect(locks({ center.post(OfOptional(sender: subject)) }, reached: 1) == 0)
                #expect(locks({ center.post(OfAny(sender: subject)) }, reached: 1) == 0)
                #expect(locks({ center.post(OfActor(sender: bank)) }, reached: 1) == 0)
            }
            everyPostTakesNoLock()
            // Posts also take no lock without a monitor, and with a monitor that is attached after the observers.
            attachment.detach()
            everyPostTakesNoLock()
            let other = center.attach(Silent(), interests: interests)
            everyPostTakesNoLock()
            withExtendedLifetime((tokens, other)) {}
        }

        @Test(arguments: [1, 16, 17, 1000])
        func `a monitored post takes no lock however many owners there are`(count: Int) {
            let models = (0..<count).map { _ in Model() }
            for model in models { center.addObserver(model, for: Plain.self) { _, _ in } }
            let attachment = center.attach(Silent(), interests: .posts)
            #expect(locks({ center.post(Plain()) }, reached: count) == 0)
            withExtendedLifetime((models, attachment)) {}
        }

        @Test func `a monitored post that finds an owner deallocated takes the lock, and the next one does not`() {
            let attachment = center.attach(Silent(), interests: .posts)
            var models: [Model?] = [Model(), Model()]
            for model in models { if let model { center.addObserver(model, for: Plain.self) { _, _ in } } }
            models[0] = nil
            let before = LockCount.ofThisThread
            #expect(center.post(Plain()) == 1)
            #expect(LockCount.ofThisThread > before)
            #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
            withExtendedLifetime((models, attachment)) {}
        }

        @Test func `a post takes no lock if some observers have conditions and others have owners`() {
            let model = Model()
            center.addObserver(model, for: OfObject.self, sender: subject) { _, _ in }
            center.addObserver(model, for: Plain.self) { _, _ in }
            let tokens = [
                center.addObserver(for: OfObject.self, where: { _ in true }) { _ in },
                center.addObserver(for: Plain.self, where: { _ in false }) { _ in },
            ]
            #expect(locks({ center.post(OfObject(sender: subject)) }, reached: 2) == 0)
            #expect(locks({ center.post(OfObject(sender: Subject())) }, reached: 1) == 0)
            #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
            for token in tokens { token.cancel() }
            #expect(locks({ center.post(OfObject(sender: subject)) }, reached: 1) == 0)
            #expect(locks({ center.post(OfObject(sender: Subject())) }, reached: 0) == 0)
            #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
        }

        @Test func `a nested post takes no lock while a monitor is attached`() {
            let center = center
            let attachment = center.attach(Silent())
            let tokens = [
                center.addObserver(for: Plain.self) { _ in center.post(OfInt(sender: 1)) },
                center.addObserver(for: OfInt.self) { _ in },
            ]
            #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
            withExtendedLifetime((attachment, tokens)) {}
        }

        @Test @MainActor func `a post without observers, and a call on the main actor, take no lock for warnings`() {
            let attachment = center.attach(Silent())
            let token = center.addObserver(for: OnMain.self) { _ in }
            #expect(locks({ center.post(OnMain()) }, reached: 1) == 0)
            #expect(locks({ center.post(Plain()) }, reached: 0) == 0)
            attachment.detach()
            let other = center.attach(Silent(), interests: [.posts, .deliveries, .durations])
            #expect(locks({ center.post(OnMain()) }, reached: 1) == 0)
            #expect(locks({ center.post(Plain()) }, reached: 0) == 0)
            withExtendedLifetime((other, token)) {}
        }

        @Test
        func `a post takes a lock for the warning that its last observer has ended, and the next post does not`() {
            let attachment = center.attach(Silent())
            center.addObserver(for: Plain.self) { _ in }.cancel()
            let before = LockCount.ofThisThread
            #expect(center.post(Plain()) == 0)
            #expect(LockCount.ofThisThread > before)
            #expect(locks({ center.post(Plain()) }, reached: 0) == 0)
            withExtendedLifetime(attachment) {}
        }

        @Test func `posts take no lock while a monitor requests warnings about old owners`() {
            let model = Model()
            let attachment = center.attach(Silent(), thresholds: WarningThresholds(ownerAge: .seconds(86_400)))
            center.addObserver(model, for: Plain.self) { _, _ in }
            #expect(locks({ center.post(Plain()) }, reached: 1) == 0)
            withExtendedLifetime((attachment, model)) {}
        }
    }
#endif
