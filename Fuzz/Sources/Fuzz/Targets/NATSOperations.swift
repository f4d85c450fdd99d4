import TidingsNATS
import TidingsRelay

/// What a server of NATS sends, fed with whatever another program may send, in pieces of any size.
enum NATSOperations: FuzzTarget {
    static let name = "natsOperations"

    static func feed(_ input: inout Input) {
        let cuts = input.list(upTo: 7) { $0.below(64) }
        let bytes = input.rest()
        let whole = read(bytes, [])
        let pieces = read(bytes, cuts)
        demand(whole == pieces, "read as \(whole) at once, and as \(pieces) in pieces")
    }

    /// Reads all that can be read.
    private static func read(_ all: [UInt8], _ cuts: [Int]) -> [ServerOperation] {
        var (reader, found, end) = (OperationReader(), [ServerOperation](), 0)
        var sizes = cuts[...]
        while true {
            end = min(all.count, end + (sizes.popFirst() ?? all.count))
            let bytes = Array(all[..<end])
            do throws(OperationReader.Malformed) {
                while let operation = try reader.next(in: bytes.span) {
                    found.append(operation)
                    check(operation, bytes)
                }
            } catch {
                demand(!error.description.isEmpty, "an error that does not say what")
                return found
            }
            if end == all.count { return found }
        }
    }

    private static func check(_ operation: ServerOperation, _ bytes: [UInt8]) {
        guard case .message(let message) = operation else { return }
        for part in [message.subject, message.reply, message.headers, message.body] {
            demand(part.lowerBound >= 0 && part.upperBound <= bytes.count, "\(message) lies outside")
        }
        let headers = HeaderBlock().decoded(bytes, message.headers)
        demand(headers.count <= message.headers.count, "more headers than bytes: \(headers)")
    }
}
