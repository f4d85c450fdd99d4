import Foundation
import TidingsInspector

@main
enum TidingsTop {
    static func main() async {
        do {
            switch Arguments(Array(CommandLine.arguments.dropFirst())) {
            case .help: print(Arguments.explanation)
            case .wrong(let reason):
                tell("\(reason); see tidings-top --help")
                exit(2)
            case .program(let address, let ranking, let filter):
                try await show(InspectorClient(address), ranking, filter)
            case .recording(let path, let ranking, let filter):
                await show(try RecordingFile(path: path), ranking, filter)
            case .comparison(let before, let after):
                let comparison = Comparison(try await snapshot(of: before), try await snapshot(of: after))
                print(comparison.lines(width: outputWidth).joined(separator: "\n"))
            }
        } catch {
            tell("\(error)")
            exit(1)
        }
    }

    private static func tell(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("tidings-top: \(text)\n".utf8))
    }

    private static func snapshot(of side: Arguments.Side) async throws(Failure) -> InspectorSnapshot {
        switch side {
        case .program(let address): return try await InspectorClient(address).snapshot(.trouble, limit: 10_000)
        case .file(let path):
            let snapshots = try RecordingFile(path: path).snapshots
            return snapshots[snapshots.count - 1]
        }
    }

    private static func show(_ client: InspectorClient, _ ranking: Ranking, _ filter: String) async throws(Failure) {
        // Makes the first request before showing the alternate screen, which would hide the request's error.
        var snapshot = try await client.snapshot(ranking)
        guard let terminal = RawTerminal() else {
            // An inspector's first snapshot contains no rates.
            if snapshot.totals.postsPerSecond == nil {
                try? await Task.sleep(for: .seconds(1))
                snapshot = try await client.snapshot(ranking)
            }
            return printTable(snapshot, ranking, filter)
        }
        var state = TopState(ranking, filter: filter)
        var status = "live"
        let (events, arrival) = AsyncStream.makeStream(of: Event.self)
        let sources = EventSources(arrival)
        var asked = ranking
        var asking = client.ask(ranking, arrival)
        var askingForStored: Task<Void, Never>?
        for await event in events {
            switch event {
            case .key(let key):
                if !state.press(key) { arrival.finish() }
                if state.takeWishToMeasure() {
                    let tier = snapshot.tier == .look ? InspectorSnapshot.Tier.count : .look
                    Task { await client.measure(tier) }
                }
                if let wish = state.takeWishToChange() {
                    Task {
                        do throws(Failure) { try await client.change(wish) } catch {
                            arrival.yield(.storedFailure(error, ofChange: true))
                        }
                    }
                }
                if (state.stored != nil) != (askingForStored != nil) {
                    askingForStored?.cancel()
                    askingForStored = state.stored == nil ? nil : client.askForStored(arrival)
                }
                if state.ranking != asked {
                    asking.cancel()
                    asked = state.ranking
                    asking = client.ask(asked, arrival)
                }
            case .resized: break
            case .ended: arrival.finish()
            case .stored(let stored): state.show(stored)
            case .storedFailure(let failure, let isOfChange): state.show(failure, ofChange: isOfChange)
            case .snapshot(let next):
                status = "live"
                if !state.isHeld { snapshot = next }
            case .failure: status = "not connected"
            }
            draw(snapshot, state, state.isHeld ? "held" : status, on: terminal)
        }
        asking.cancel()
        askingForStored?.cancel()
        sources.stop()
        terminal.restore()
    }

    private static func show(_ file: RecordingFile, _ ranking: Ranking, _ filter: String) async {
        var state = TopState(ranking, filter: filter, recordingOf: file.snapshots.count)
        guard let terminal = RawTerminal() else {
            return printTable(file.snapshots[file.snapshots.count - 1], ranking, filter)
        }
        let (events, arrival) = AsyncStream.makeStream(of: Event.self)
        let sources = EventSources(arrival)
        arrival.yield(.resized)
        for await event in events {
            if case .key(let key) = event, !state.press(key) { arrival.finish() }
            if case .ended = event { arrival.finish() }
            let position = state.position ?? 0
            draw(file.snapshots[position], state, "\(position + 1) of \(file.snapshots.count)", on: terminal)
        }
        sources.stop()
        terminal.restore()
    }

    private static func draw(
        _ snapshot: InspectorSnapshot, _ state: TopState, _ status: String, on terminal: RawTerminal
    ) {
        let (width, height) = RawTerminal.size
        let hasColours = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty ?? true
        terminal.show(Screen(snapshot, state, status: status, size: (width, height)), inColours: hasColours)
    }

    private static var outputWidth: Int {
        min(1000, max(20, ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 80))
    }

    private static func printTable(_ snapshot: InspectorSnapshot, _ ranking: Ranking, _ filter: String) {
        let screen = Screen(snapshot, TopState(ranking, filter: filter), status: "once", size: (outputWidth, nil))
        print(screen.lines.map(\.text).joined(separator: "\n"))
    }
}
