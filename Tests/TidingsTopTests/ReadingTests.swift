import Foundation
import Testing
import TidingsInspector

@testable import tidings_top

@Suite(.timeLimit(.minutes(2))) struct ReadingTests {
    @Test func `an address contains the token, and the routes are relative to the address`() throws {
        let address = try #require(InspectorAddress("http://127.0.0.1:8080/?token=a1b2"))
        #expect(address.token == "a1b2")
        #expect(
            address.snapshot(sortedBy: .drops, limit: 10).absoluteString
                == "http://127.0.0.1:8080/snapshot?sort=dropped&order=descending&limit=10")
        let mounted = try #require(InspectorAddress("https://shop.test/inspector"))
        #expect(mounted.token == nil)
        #expect(mounted.root.absoluteString == "https://shop.test/inspector/")
    }

    @Test func `the arguments are an address or a file`() throws {
        let address = try #require(InspectorAddress("http://127.0.0.1:1/"))
        #expect(Arguments(["http://127.0.0.1:1/"]) == .program(address, .trouble))
        #expect(Arguments(["--sort", "drops", "a.jsonl"]) == .recording(path: "a.jsonl", .drops))
        #expect(Arguments(["--help"]) == .help)
        for words in [
            [], ["--sort"], ["--sort", "name", "a"], ["--filter"], ["--all"], ["a", "b"], ["http://"], [""],
        ] {
            guard case .wrong = Arguments(words) else {
                Issue.record("\(words) was accepted")
                continue
            }
        }
    }

    @Test func `a program that can't be reached is reported as a failure, and a cancelled query ends`() async throws {
        let client = InspectorClient(try #require(InspectorAddress("http://127.0.0.1:1/")))
        let (events, arrival) = AsyncStream<Event>.makeStream()
        let asking = client.ask(.trouble, arrival)
        var reported = events.makeAsyncIterator()
        guard case .failure = await reported.next() else {
            Issue.record("a query without a program succeeded")
            return
        }
        asking.cancel()
        await asking.value
    }

    @Test func `keys change the sort order, pause the screen, and quit`() {
        var state = TopState(.queue)
        func press(_ key: Character) -> Bool { state.press(key.asciiValue!) }
        #expect(press("d") && state.ranking == .drops)
        #expect(press("r") && state.ranking == .rate)
        #expect(press("w") && state.ranking == .queue)
        #expect(press("h") && state.isHeld)
        #expect(press(" ") && !state.isHeld)
        #expect(press("n") && state.position == nil)
        #expect(press("x") && state == TopState(.queue))
        #expect(!press("q") && !press("\u{3}") && !press("\u{4}"))
    }

    @Test func `keys step through a recording, and stop at its ends`() {
        var state = TopState(.queue, recordingOf: 3)
        func press(_ keys: String) -> Int? {
            for key in keys.utf8 { _ = state.press(key) }
            return state.position
        }
        #expect(press("") == 2)
        #expect(press("n") == 2)
        #expect(press("pp") == 0)
        #expect(press("p") == 0)
        #expect(press("n") == 1)
    }

    @Test func `a recording is read line by line`() throws {
        let line = try exampleLine()
        let file = try RecordingFile(recording(exampleHeader, line, line, Data()))
        #expect(file.snapshots == [try exampleSnapshot(), try exampleSnapshot()])
    }

    @Test func `an error in a file is reported with its line`() throws {
        func failure(_ data: Data) -> String? {
            do throws(Failure) {
                _ = try RecordingFile(data)
                return nil
            } catch {
                return error.description
            }
        }
        let line = try exampleLine()
        let newer = Data(
            String(decoding: exampleHeader, as: UTF8.self).replacing(#""version":1"#, with: #""version":2"#).utf8)
        #expect(failure(Data()) == "this is not an inspector's recording: its first line is not a header")
        #expect(
            failure(recording(line, line)) == "this is not an inspector's recording: its first line is not a header")
        #expect(failure(newer) == "the recording has version 2; this program reads 1")
        #expect(failure(exampleHeader) == "the recording contains no snapshot")
        #expect(
            failure(recording(exampleHeader, line, Data("{".utf8)))
                == "line 3 of the recording: it is not a snapshot in JSON")
        #expect(
            failure(recording(exampleHeader, Data(#"{"version":1}"#.utf8)))?.hasPrefix("line 2 of the recording: ")
                == true)
        #expect(
            failure(recording(exampleHeader, Data(#"{"version":7}"#.utf8)))
                == "line 2 of the recording: the snapshot has version 7; this program reads 1")
        #expect(failure(Data([0xFF, 0xFE, 0x0A, 0xFF]))?.hasPrefix("this is not an inspector's recording") == true)
    }

    @Test func `a snapshot of a newer program, with unknown keys, can be read`() throws {
        var object = try #require(JSONSerialization.jsonObject(with: exampleData()) as? [String: Any])
        object["new"] = ["key": 1]
        #expect(try InspectorSnapshot(json: JSONSerialization.data(withJSONObject: object)) == exampleSnapshot())
    }
}
