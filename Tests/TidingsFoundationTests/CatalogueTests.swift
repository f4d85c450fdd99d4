import Foundation
import TestSupport
import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct CatalogueTests {
    private let center = NotificationCenter()

    #if os(Linux)
        @Test func `observers of the catalogue's types receive what Foundation posts on Linux`() throws {
            let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            let process = Process()
            let output = Pipe()
            process.executableURL = products.appending(path: "CatalogueProbe")
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(
                text == """
                    data available: the sender
                    read: one
                    read a directory: , error 21
                    accept: no connection, error 0
                    read to the end: two
                    a process, defaults, a time zone, a bundle, a thread, cookies, and data available: \
                    NSFileHandleDataAvailableNotification

                    """)
        }
    #endif

    private func received<N: BridgedNotification>(
        _ type: N.Type, object: Any? = nil, _ userInfo: [AnyHashable: Any]? = nil
    ) -> N? {
        nonisolated(unsafe) var received: N?
        let token = center.addObserver(for: type) { note in unsafe received = note }
        center.post(name: Notification.Name(N.name), object: object, userInfo: userInfo)
        withExtendedLifetime(token) {}
        return unsafe received
    }

    @Test func `notifications that other platforms post are decoded as documented`() {
        let process = Process()
        #expect(received(Process.DidTerminate.self, object: process)?.sender === process)
        #expect(received(UserDefaults.DidChange.self, object: UserDefaults.standard)?.sender === UserDefaults.standard)
        #expect(received(Locale.CurrentDidChange.self) != nil)
        #expect(received(TimeZone.SystemDidChange.self) != nil)
        #expect(received(Calendar.DayChanged.self) != nil)
        #expect(received(Date.SystemClockDidChange.self) != nil)
        #expect(received(Thread.WillExit.self, object: Thread.current)?.sender === Thread.current)
        let loaded = received(
            Bundle.DidLoad.self, object: Bundle.main, ["NSLoadedClasses": NSArray(array: ["A", "B"])])
        #expect(loaded?.sender === Bundle.main && loaded?.loadedClasses == ["A", "B"])
        #expect(received(HTTPCookiesChanged.self, object: process)?.sender === process)
        #expect(received(HTTPCookieAcceptPolicyChanged.self, object: process)?.sender === process)
        let (listener, connection) = (FileHandle.nullDevice, FileHandle.standardInput)
        let accepted = received(
            FileHandle.ConnectionAccepted.self, object: listener,
            ["NSFileHandleNotificationFileHandleItem": connection, "NSFileHandleError": NSNumber(value: 3)])
        #expect(accepted?.connection === connection && accepted?.error == 3)
    }

    @Test func `the catalogue's types have the names of Foundation's notifications`() {
        #expect(FileHandle.ReadCompleted.name == "NSFileHandleReadCompletionNotification")
        #expect(FileHandle.ReadToEndOfFile.name == "NSFileHandleReadToEndOfFileCompletionNotification")
        #expect(FileHandle.ConnectionAccepted.name == "NSFileHandleConnectionAcceptedNotification")
        #expect(FileHandle.DataAvailable.name == "NSFileHandleDataAvailableNotification")
        #expect(Process.DidTerminate.name == "NSTaskDidTerminateNotification")
        #expect(UserDefaults.DidChange.name == "NSUserDefaultsDidChangeNotification")
        #expect(Thread.WillExit.name == "NSThreadWillExitNotification")
        #expect(Calendar.DayChanged.name == "NSCalendarDayChangedNotification")
    }

    @Test func `notifications in the catalogue can also be posted`() throws {
        let handle = FileHandle.nullDevice
        for note in [
            try FileHandle.ReadCompleted(sender: handle, data: Data([1]), error: nil).bridged(),
            try FileHandle.ReadToEndOfFile(sender: handle, data: Data([1])).bridged(),
        ] {
            #expect(note.object as? FileHandle === handle)
            #expect(note.userInfo?["NSFileHandleNotificationDataItem"] as? Data == Data([1]))
            #expect(note.userInfo?.count == 1)
        }
        let accepted = try FileHandle.ConnectionAccepted(sender: handle, connection: handle, error: 2).bridged()
        #expect(accepted.userInfo?["NSFileHandleNotificationFileHandleItem"] as? FileHandle === handle)
        #expect(accepted.userInfo?["NSFileHandleError"] as? Int == 2)
        #expect(try FileHandle.DataAvailable(sender: handle).bridged().userInfo == nil)
        #expect(try Process.DidTerminate(sender: Process()).bridged().object is Process)
        #expect(try UserDefaults.DidChange(sender: .standard).bridged().object is UserDefaults)
        #expect(try Thread.WillExit(sender: .current).bridged().object is Thread)
        #expect(try Bundle.DidLoad(sender: .main, loadedClasses: ["A"]).bridged().userInfo?.count == 1)
        #expect(try HTTPCookiesChanged(sender: handle).bridged().object is FileHandle)
        #expect(try HTTPCookieAcceptPolicyChanged(sender: handle).bridged().object is FileHandle)
        for note in [
            try Locale.CurrentDidChange().bridged(), try TimeZone.SystemDidChange().bridged(),
            try Calendar.DayChanged().bridged(), try Date.SystemClockDidChange().bridged(),
        ] {
            #expect(note.object == nil && note.userInfo == nil)
        }
    }

    private enum PlayerNotification: String, MainActorObjectDescriptor {
        typealias Payload = Progress
        case started = "CatalogueTests.started"
    }

    @MainActor
    @Test func `the payload of a MainActorObjectDescriptor is the object of the notification`() throws {
        Reports.collect()
        let player = Progress(totalUnitCount: 1)
        var seen: [Progress] = []
        let token = center.addObserver(descriptor: PlayerNotification.started) { seen.append($0) }
        center.post(name: PlayerNotification.started.name, object: player)
        try center.post(PlayerNotification.started, payload: player)
        center.post(name: PlayerNotification.started.name, object: "player")
        #expect(seen == [player, player])
        #expect(Reports.of("CatalogueTests.started").compactMap(\.error?.keyPath) == [["object"]])
        withExtendedLifetime(token) {}
    }
}
