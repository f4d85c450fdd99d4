import NamespacedModule
import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Top: TypedNotification {
    struct Inner: TypedNotification {
        struct Innermost: TypedNotification {}
    }
}

enum Shop {
    struct Opened: TypedNotification {}
    struct Sold<Goods: Sendable>: TypedNotification {
        struct Returned: TypedNotification {}
    }
    enum Closed: TypedNotification { case early, late }
    final class Moved: TypedNotification, Sendable {}
    actor Haunted: TypedNotification { nonisolated var sender: Void { () } }
    struct Painted: MainActorNotification {}
    struct Renamed: TypedNotification { static let name = "ShopDidRename" }
    struct Franchised: TypedNotification { static let namespace = "org.example.franchise" }
}

extension Library {
    struct Burnt: TypedNotification {}
}

extension Int {
    struct Changed: TypedNotification {}
}

extension Array {
    struct Sorted: TypedNotification {}
}

@Suite(.timeLimit(.minutes(2))) struct NameTests {
    @Test func `the namespace is the module's name by default`() {
        #expect(Shop.Opened.namespace == "TidingsTests")
        #expect(Shop.Opened.name == "TidingsTests.Shop.Opened")
        #expect(Shop.Painted.name == "TidingsTests.Shop.Painted")
    }

    @Test func `a module chooses a namespace once, for all its internal notifications`() {
        #expect(
            internalNames == [
                "org.example.reader.PageTurned", "org.example.reader.PageTurned.Back",
                "org.example.reader.WindowOpened",
                "org.example.exporter.Exported", "ReaderDidRename",
            ])
    }

    @Test func `a module can declare a protocol that gives its public notifications a namespace`() {
        #expect(LibraryChanged.name == "org.example.reader.LibraryChanged")
        #expect(Changed<[Int]>.name == "org.example.reader.Changed<Swift.Array<Swift.Int>>")
    }

    @Test func `a type can choose its own namespace or its whole name`() {
        #expect(Shop.Franchised.name == "org.example.franchise.Shop.Franchised")
        #expect(Shop.Renamed.name == "ShopDidRename")
    }

    @Test func `the names of enums, classes and actors are formed like those of structs`() {
        #expect(Shop.Closed.name == "TidingsTests.Shop.Closed")
        #expect(Shop.Moved.name == "TidingsTests.Shop.Moved")
        #expect(Shop.Haunted.name == "TidingsTests.Shop.Haunted")
    }

    @Test func `each specialization of a generic type has a different name`() {
        #expect(Shop.Sold<Int>.name == "TidingsTests.Shop.Sold<Swift.Int>")
        #expect(Shop.Sold<String>.name == "TidingsTests.Shop.Sold<Swift.String>")
        #expect(Shop.Sold<Int>.Returned.name == "TidingsTests.Shop.Sold<Swift.Int>.Returned")
    }

    @Test func `the name of a type in an extension of another module's type begins with the extension's module`() {
        #expect(Library.Burnt.name == "TidingsTests.NamespacedModule.Library.Burnt")
        #expect(Int.Changed.name == "TidingsTests.Swift.Int.Changed")
        #expect([Int].Sorted.name == "TidingsTests.Swift.Array<Swift.Int>.Sorted")
    }

    @Test func `a standard library type has the namespace Swift`() {
        #expect(NotificationSubject(Void.self).name == "Swift.()")
        #expect(NotificationSubject(Int.self).name == "Swift.Int")
    }

    @Test func `private and local types have distinct names within a process`() {
        struct Local: TypedNotification {}
        func other() -> any TypedNotification.Type {
            struct Local: TypedNotification {}
            return Local.self
        }
        let names = [
            Top.name, Top.Inner.name, Top.Inner.Innermost.name, Local.name, other().name, topOfAnotherFile.name,
        ]
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("TidingsTests.") }, "\(names)")
        #expect(Top.name == Top.name)
    }

    @Test func `the native center supports private and local types that do not choose a name`() {
        struct Local: TypedNotification {}
        let center = NativeNotificationCenter()
        let received = ReceivedValues<String>()
        let tokens = [
            center.addObserver(for: Local.self) { _ in received.append("local") },
            center.addObserver(for: Top.self) { _ in received.append("private") },
            center.addObserver(for: Top.Inner.self) { _ in received.append("nested") },
        ]
        center.post(Local())
        center.post(Top())
        center.post(Top.Inner())
        #expect(received.values == ["local", "private", "nested"])
        withExtendedLifetime(tokens) {}
    }
}
