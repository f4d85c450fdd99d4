import Foundation
import Testing

/// A client that imports everything an app imports, and declares types with names similar to those of Tidings.
///
/// On systems without Apple's frameworks, the stubs of `Tests/PlatformStubs` replace them.
@Suite(.timeLimit(.minutes(2))) struct ClientTests {
    @Test func `a client with all imports of an app compiles`() throws {
        let stubs = try PlatformStubs.build()
        defer { try? FileManager.default.removeItem(at: stubs) }
        let (command, diagnostics) = try Snippet.compile(Self.client, options: ["-I", stubs.path])
        #expect(command.status == 0 && diagnostics.isEmpty, "\(command.output)")
    }

    @Test func `a public type with the name of a module would break the client`() throws {
        let stubs = try PlatformStubs.build()
        defer { try? FileManager.default.removeItem(at: stubs) }
        // A protocol with this name once broke clients: the compiler couldn't resolve the expansion of `@Observable`.
        let planted = "public protocol Observation {}\n"
        let library = stubs.appending(path: "Planted.swift")
        try planted.write(to: library, atomically: true, encoding: .utf8)
        try PlatformStubs.build("Planted", from: library, in: stubs)
        let (command, _) = try Snippet.compile("import Planted\n" + Self.client, options: ["-I", stubs.path])
        #expect(command.status != 0)
        #expect(command.output.contains("ObservationRegistrar"), "\(command.output)")
    }

    private static let client = """
        import AVFoundation
        import AppKit
        import Combine
        import CoreData
        import Dispatch
        import Foundation
        import Observation
        import SwiftUI
        import Synchronization
        import Testing
        import Tidings
        import TidingsFoundation
        import UIKit

        final class Owner: Sendable { let name = "owner" }
        enum Delivery: Sendable { case express, standard }
        struct Registration: Sendable { var owner: Owner }
        @MainActor protocol Observer: AnyObject { func observe(_ event: Event) }
        struct Token: Hashable, Sendable { let text: String }
        struct Message: Sendable { let token: Token }
        enum Event: Sendable { case received(Message), sent(Message) }
        struct Received: Sendable { var events: [Event] = [] }
        struct Channel: Sendable {}
        struct Monitor: Sendable {}
        struct Post: Identifiable, Sendable { let id: Int }
        struct Sender: Sendable {}
        enum Call: Sendable { case waiting }

        struct MessageArrived: TypedNotification {
            let sender: Owner
            let message: Message
        }
        struct WillOpen: MainActorNotification { let view: UIView }

        @Observable @MainActor final class Inbox: Observer {
            private(set) var received = Received()
            private let delivery = Delivery.express
            private let registration: Registration
            @ObservationIgnored private var tokens: [NotificationToken] = []
            @ObservationIgnored private var cancellables: Set<AnyCancellable> = []

            init(_ owner: Owner, center: any TypedNotificationCenter, subject: PassthroughSubject<Event, Never>) {
                registration = Registration(owner: owner)
                center.addObserver(self, on: .main, for: MessageArrived.self) { me, note in
                    me.observe(.received(note.message))
                }
                center.addObserver(for: WillOpen.self) { note in _ = note.view }.store(in: &tokens)
                NotificationCenter.default.addObserver(for: MessageArrived.self, queue: .main) { _ in }
                    .store(in: &tokens)
                subject.sink { _ in }.store(in: &cancellables)
            }

            func observe(_ event: Event) { received.events.append(event) }
        }

        struct InboxView: View {
            @State var inbox: Inbox
            var body: some View {
                Text("\\(inbox.received.events.count)").task { DispatchQueue.main.async {} }
            }
        }

        @MainActor func track(_ inbox: Inbox) {
            withObservationTracking { _ = inbox.received } onChange: {}
        }

        let calls = Atomic(0)

        @Suite(.timeLimit(.minutes(2))) struct InboxTests {
            @Test @MainActor func arrives() {
                let center = NativeNotificationCenter()
                let owner = Owner()
                let inbox = Inbox(owner, center: center, subject: PassthroughSubject())
                center.post(MessageArrived(sender: owner, message: Message(token: Token(text: "t"))))
                #expect(inbox.received.events.isEmpty)
            }
        }
        """
}

/// Stubs of the Apple frameworks that clients need, compiled on systems without these frameworks.
enum PlatformStubs {
    /// Returns the folder that contains the modules. The caller removes the folder.
    static func build() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stubs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #if os(Linux)
            let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
                path: "../PlatformStubs")
            // SwiftUI imports Combine, so Combine is built first.
            for module in ["AVFoundation", "AppKit", "Combine", "CoreData", "SwiftUI", "UIKit"] {
                try build(module, from: sources.appending(path: "\(module).swift"), in: folder)
            }
        #endif
        return folder
    }

    static func build(_ module: String, from source: URL, in folder: URL) throws {
        let command = try Command(
            "swiftc",
            [
                "-swift-version", "6", "-emit-module", "-parse-as-library", "-module-name", module,
                "-enable-upcoming-feature", "InternalImportsByDefault", "-I", folder.path,
                "-emit-module-path", folder.appending(path: "\(module).swiftmodule").path, source.path,
            ])
        #expect(command.status == 0, "\(command.output)")
    }
}
