import FlyingFox
import FlyingSocks
import Foundation
import TidingsInspector

/// A handler of FlyingFox that serves an inspector.
///
///     await server.appendRoute("/inspector/*", to: InspectorHandler(inspector, at: "/inspector/"))
public struct InspectorHandler: HTTPHandler {
    let inspector: Inspector
    let path: String

    /// - Parameters:
    ///   - inspector: The inspector.
    ///   - path: The path at which the inspector is mounted, which ends in a slash.
    public init(_ inspector: Inspector, at path: String) { (self.inspector, self.path) = (inspector, path) }

    /// Responds to a request.
    public func handleRequest(_ request: FlyingFox.HTTPRequest) async throws -> FlyingFox.HTTPResponse {
        let response = inspector.respond(
            to: Inspector.Request(
                method: request.method.rawValue, target: String(request.target.rawValue.dropFirst(path.count - 1)),
                headers: request.headers.map { (name: $0.key.rawValue, value: $0.value) }))
        var headers = HTTPHeaders()
        for (name, value) in response.headers { headers.addValue(value, for: HTTPHeader(name)) }
        let body =
            switch response.body {
            case .bytes(let bytes): HTTPBodySequence(data: Data(bytes))
            case .events(let events): HTTPBodySequence(from: EventBytes(events: events))
            }
        return HTTPResponse(statusCode: HTTPStatusCode(response.status, phrase: ""), headers: headers, body: body)
    }
}

/// The events as the byte sequence that FlyingFox reads.
struct EventBytes: AsyncBufferedSequence {
    typealias Element = UInt8
    let events: Inspector.EventStream

    func makeAsyncIterator() -> Iterator { Iterator(base: events.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var base: Inspector.EventStream.Iterator
        private var rest: ArraySlice<UInt8> = []

        init(base: Inspector.EventStream.Iterator) { self.base = base }

        mutating func next() async -> UInt8? { await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
            if rest.isEmpty { rest = await base.next()?[...] ?? [] }
            defer { rest = rest.dropFirst(count) }
            return rest.isEmpty ? nil : rest.prefix(count)
        }
    }
}
