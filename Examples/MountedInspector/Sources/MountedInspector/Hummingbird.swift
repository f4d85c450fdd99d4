import HTTPTypes
import Hummingbird
import NIOCore
import TidingsInspector

extension RouterMethods {
    /// Mounts an inspector at a path, such as `/inspector/`, which ends in a slash.
    public func mount(_ inspector: Inspector, at path: String) {
        @Sendable func answer(_ request: Request, _ context: Context) -> Response {
            // Hummingbird stores the host separately from the other headers.
            var headers = request.headers.map { (name: $0.name.rawName, value: $0.value) }
            headers += request.head.authority.map { [(name: "Host", value: $0)] } ?? []
            let response = inspector.respond(
                to: Inspector.Request(
                    method: request.method.rawValue, target: String(request.uri.string.dropFirst(path.count - 1)),
                    headers: headers))
            var fields = HTTPFields()
            for (name, value) in response.headers {
                if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
            }
            let body: ResponseBody =
                switch response.body {
                case .bytes(let bytes): ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
                case .events(let events): ResponseBody(asyncSequence: events.map { ByteBuffer(bytes: $0) })
                }
            return Response(status: .init(code: response.status), headers: fields, body: body)
        }
        for method in [HTTPRequest.Method.get, .post] {
            on("\(path)", method: method, use: answer)
            on("\(path)**", method: method, use: answer)
        }
    }
}
