import Foundation
import Testing

/// No public name conflicts with a name that apps use every day.
///
/// A public type hides a module of the same name in every file that imports the type's module, and two types with one
/// name have to be qualified at every use.
@Suite(.timeLimit(.minutes(2))) struct PublicNamesTests {
    @Test func `no public name is the name of a module or of a type that most apps use`() throws {
        let names = try PublicNames.all.get()
        #expect(names.contains("TypedNotification") && names.contains("MessageBus") && names.count > 60)
        // `Delivery` is accepted, because calls pass values such as `.main` without naming the type, and because an
        // app's own `Delivery` takes precedence.
        #expect(names.intersection(EverydayNames.all) == ["Delivery"])
    }

    @Test func `the names of the outbox's public types contain Outbox, Durable or Libpq, with few exceptions`() throws {
        let names = try PublicNames.read(in: "TidingsOutbox").filter { $0.first?.isUppercase == true }
        #expect(names.contains("OutboxStore") && names.count > 30)
        // "Durable" marks observers whose progress an outbox stores, and "Libpq" marks types that use libpq.
        let words = ["Outbox", "Durable", "Libpq"]
        let others = names.filter { name in !words.contains { name.contains($0) } }
        #expect(
            Set(others) == [
                // Types for notifications that an outbox has stored.
                "StoredDelivery", "StoredNotification", "StoredReceipt",
                // These types can be used without an outbox, too.
                "PostgresInbox", "SQLiteInbox",
            ])
    }

    @Test func `no two modules declare a public type of the same name`() throws {
        let types = try PublicNames.types.get()
        #expect(types.count > 60)
        #expect(types.filter { $0.value > 1 }.keys.sorted() == [])
    }

    @Test func `every public enum is nonexhaustive, except three enums with complete cases and a namespace`() throws {
        let closed = try PublicNames.enums(in: "").filter { !$0.isNonexhaustive }.map(\.name)
        #expect(
            Set(closed) == [
                // The cases are one direction, the other direction, and both.
                "Direction", "JoiningDirection",
                // A server that mounts an inspector has to send every kind of body.
                "Body",
                // A namespace without cases.
                "InspectorRecording",
            ])
        #expect(try PublicNames.enums(in: "Tidings").count > 3)
    }

    @Test func `no public name is also a name in a module of the toolchain`() throws {
        let names = try PublicNames.all.get().sorted()
        #expect(try EverydayNames.known(to: names).isEmpty)
        #expect(
            try EverydayNames.known(to: ["MessageBus", "Notification", "Mutex", "DispatchQueue"]) == [
                "Notification", "Mutex", "DispatchQueue",
            ])
    }
}

private enum PublicNames {
    static let all = Result { Set(try read()) }

    /// For each name, the number of modules that declare a type of that name. A module may declare two types of one
    /// name: the second replaces the first if a package trait is disabled.
    static let types = Result {
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
        let names = try modules.flatMap { Set(try read(in: $0)).filter { $0.first?.isUppercase == true } }
        return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources")

    /// Reads the names of one module, or of all modules if the name is empty.
    static func read(in module: String = "") throws -> [String] {
        try texts(in: module).flatMap { declared(in: $0) }
    }

    static func enums(in module: String) throws -> [(name: String, isNonexhaustive: Bool)] {
        try texts(in: module).flatMap { text in
            text.matches(of: /(@nonexhaustive\s+)?public (?:indirect )?enum (\w+)/)
                .map { (String($0.output.2), $0.output.1 != nil) }
        }
    }

    private static func texts(in module: String) throws -> [String] {
        let files = FileManager.default.enumerator(
            at: sources.appending(path: module), includingPropertiesForKeys: nil)
        var texts: [String] = []
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "swift" { texts.append(try String(contentsOf: file, encoding: .utf8)) }
        }
        return texts
    }

    private static func declared(in source: String) -> [String] {
        var depth = 0
        var names: [String] = []
        for line in source.split(separator: "\n") {
            // Most lines contain nothing to remove, and `contains` is much faster than a regular expression.
            var code = line
            if code.contains("//") { code.replace(/\/\/.*/, with: "") }
            if code.contains("\"") { code.replace(/"[^"]*"/, with: "") }
            if depth == 0, code.contains("public"), let match = code.firstMatch(of: declaration) {
                names.append(String(match.output.1))
            }
            depth += code.count { $0 == "{" } - code.count { $0 == "}" }
        }
        return names
    }

    private static var declaration: Regex<(Substring, Substring)> {
        /\bpublic (?:(?:final|indirect|nonisolated) )*(?:protocol|struct|class|enum|actor|typealias|func|var|let) ([A-Za-z]\w*)/
    }
}

private enum EverydayNames {
    static let all = Set(modules + types)

    private static let modules = """
        Swift Foundation FoundationEssentials Dispatch Observation Synchronization Combine SwiftUI SwiftData UIKit AppKit WatchKit
        CoreData CoreFoundation CoreGraphics QuartzCore AVFoundation Testing XCTest Distributed RegexBuilder StoreKit WidgetKit
        CloudKit MapKit CoreLocation UserNotifications Network Security OSLog os Logging Metrics CoreMetrics Tracing
        Instrumentation ServiceContextModule ServiceLifecycle NIO NIOCore NIOPosix NIOHTTP1 NIOFoundationCompat AsyncAlgorithms
        Collections Algorithms Atomics Crypto Configuration Hummingbird Vapor GRDB Tidings TidingsFoundation TidingsTesting
        TidingsConformance TidingsServer TidingsEngine
        TidingsWire TidingsOutbox TidingsSwiftUI TidingsCombine TidingsRelay TidingsInspector OpenCombine FlyingFox FlyingSocks
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Types of modules that the toolchain lacks on some platforms. Types of the other modules are looked up with the
    /// compiler.
    private static let types = """
        Publisher Publishers Subscriber Subscribers Subscription Subscriptions Subject Cancellable AnyCancellable AnyPublisher
        AnySubscriber AnySubject Future Just Empty Fail Deferred Record PassthroughSubject CurrentValueSubject Published
        ObservableObject ObservableObjectPublisher Scheduler ImmediateScheduler ConnectablePublisher TopLevelEncoder TopLevelDecoder
        View ViewBuilder ViewModifier App Scene State StateObject ObservedObject EnvironmentObject Environment EnvironmentValues
        EnvironmentKey Binding Bindable Text Image Label Button List Table Group Form Section Color Font Shape Path Gesture
        Animation Transaction Transition Namespace PreferenceKey Layout Alignment Edge Angle Axis Canvas Picker Toggle
        Slider Stepper Menu Link Spacer Divider Window WindowGroup Settings Commands Toolbar ToolbarItem Transferable Entry Query
        Model ModelContext ModelContainer Schema Attribute Relationship Message Messages Notifications Alert Badge
        UIView UIViewController UIApplication UIScene UIWindow UIResponder UIControl UIEvent UIDevice UIScreen UIKeyboard
        NSView NSViewController NSApplication NSWindow NSResponder NSEvent NSWorkspace NSObject NSNotification
        NSNotificationCenter NSKeyValueObservation NSManagedObject NSManagedObjectContext
        Logger LogHandler LogLevel LoggingSystem MetadataProvider SwiftLogNoOpLogHandler StreamLogHandler InMemoryLogHandler
        MultiplexLogHandler Counter FloatingPointCounter Gauge Meter Recorder Timer MetricsFactory MetricsSystem CounterHandler
        TimerHandler RecorderHandler Tracer LegacyTracer Span SpanLink SpanContext SpanEvent SpanAttributes Instrument
        InstrumentationSystem ServiceContext Injector Extractor Service ServiceGroup
        Channel ChannelHandler ChannelHandlerContext ChannelPipeline ChannelOption ChannelOptions EventLoop EventLoopGroup
        EventLoopFuture EventLoopPromise ByteBuffer ByteBufferAllocator SocketAddress NIOAny NIOLock NIOLockedValueBox TimeAmount
        NIODeadline RepeatedTask Scheduled Bootstrap ClientBootstrap ServerBootstrap DatagramBootstrap MulticastChannel
        CircularBuffer MarkedCircularBuffer FileIO FileHandle FileRegion IOData BackPressureHandler NIOThreadPool
        Owner Delivery Registration Observer Observable Token Event Received Handler Listener Dispatcher Center Post Sender Payload
        Queue Mailbox Monitor Watch Warning Place Report Trial Gate Clock Instant Lock
        Snapshot Recording TraceContext EventMode EndReason Reason Options Configuration Session Client Server Connection Request
        Response Route Router Header Body Selection Origin Direction Mode Policy Level Status State Result Failure Row Tier Totals
        Program Store Record Log Publisher Producer Consumer Reader Writer Stream Relay Outbox Link Pattern Name Identity
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// Returns the names that are types in the modules of the toolchain, by running the compiler.
    static func known(to names: [String]) throws -> [String] {
        let imports = ["Foundation", "Dispatch", "Observation", "Synchronization", "Testing", "XCTest", "RegexBuilder"]
        let source =
            imports.map { "import \($0)\n" }.joined()
            + names.enumerated().map { "typealias Looked\($0.offset) = \($0.element)\n" }.joined()
        let command = try Snippet.compile(source).command
        return names.filter { !command.output.contains("cannot find type '\($0)' in scope") }
    }
}
