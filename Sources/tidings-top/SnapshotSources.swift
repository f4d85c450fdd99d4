import Foundation
import TidingsInspector

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error whose description is shown to the user.
struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

struct InspectorClient: Sendable {
    let address: InspectorAddress
    private let session: URLSession

    init(_ address: InspectorAddress) {
        self.address = address
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 5
        session = URLSession(configuration: configuration)
    }

    /// Requests a tier of measurement. Ignores errors, because the next snapshot shows the actual tier.
    func measure(_ tier: InspectorSnapshot.Tier) async {
        _ = try? await answer(to: address.measuring(tier), method: "POST")
    }

    func snapshot(_ ranking: Ranking, limit: Int = 1000) async throws(Failure) -> InspectorSnapshot {
        try InspectorSnapshot(json: await answer(to: address.snapshot(sortedBy: ranking, limit: limit), method: "GET"))
    }

    func answer(to url: URL, method: String) async throws(Failure) -> Data {
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let token = address.token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw Failure("no answer from \(address.root.absoluteString): \(error.localizedDescription)")
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 401 { throw Failure("the inspector rejects this token: use the address that the program printed") }
        guard status == 200 else {
            let answer = String(decoding: data.prefix(200), as: UTF8.self).forTerminal
            throw Failure("the inspector answers \(status): \(answer)")
        }
        return data
    }
}

struct RecordingFile {
    let snapshots: [InspectorSnapshot]

    init(path: String) throws(Failure) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        } catch {
            throw Failure("cannot read \(path.forTerminal): \(error.localizedDescription)")
        }
        try self.init(data)
    }

    init(_ data: Data) throws(Failure) {
        let lines = data.split(separator: UInt8(ascii: "\n"))
        if (try? JSONDecoder().decode(InspectorSnapshot.Form.self, from: data))?.sequence != nil {
            snapshots = [try InspectorSnapshot(json: data)]
            return
        }
        guard let first = lines.first,
            let header = try? JSONDecoder().decode(InspectorRecording.Header.self, from: Data(first)),
            header.recording == InspectorRecording.Header(program: header.program, saved: 0).recording
        else { throw Failure("this is not an inspector's recording: its first line is not a header") }
        guard header.version == InspectorSnapshot.currentVersion else {
            throw Failure(
                "the recording has version \(header.version); this program reads \(InspectorSnapshot.currentVersion)")
        }
        var snapshots: [InspectorSnapshot] = []
        for (index, line) in lines.enumerated().dropFirst() {
            do {
                snapshots.append(try InspectorSnapshot(json: Data(line)))
            } catch {
                throw Failure("line \(index + 1) of the recording: \(error)")
            }
        }
        if snapshots.isEmpty { throw Failure("the recording contains no snapshot") }
        self.snapshots = snapshots
    }
}

extension InspectorSnapshot {
    /// The version, and the number that distinguishes a snapshot from a recording's header, which has no such number.
    fileprivate struct Form: Decodable {
        let version: Int
        let sequence: Int?
    }

    init(json: Data) throws(Failure) {
        do {
            let version = try JSONDecoder().decode(Form.self, from: json).version
            guard version == InspectorSnapshot.currentVersion else {
                throw Failure(
                    "the snapshot has version \(version); this program reads \(InspectorSnapshot.currentVersion)")
            }
            self = try JSONDecoder().decode(InspectorSnapshot.self, from: json)
        } catch let failure as Failure {
            throw failure
        } catch DecodingError.keyNotFound(let key, let context) {
            throw Failure("\(key.stringValue) is missing\(context.place)")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw Failure("a value has the wrong type\(context.place)")
        } catch {
            throw Failure("it is not a snapshot in JSON")
        }
    }
}

extension DecodingError.Context {
    fileprivate var place: String {
        codingPath.isEmpty
            ? ""
            : " in "
                + codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".").forTerminal
    }
}
