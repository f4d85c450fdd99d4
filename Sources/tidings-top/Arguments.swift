import Foundation
import TidingsInspector

enum Arguments: Equatable {
    case help
    case program(InspectorAddress, Ranking, filter: String = "")
    case recording(path: String, Ranking, filter: String = "")
    case comparison(Side, Side)
    case wrong(String)

    enum Side: Equatable {
        case program(InspectorAddress)
        case file(path: String)

        init?(_ text: String) {
            if !text.hasPrefix("http://"), !text.hasPrefix("https://") {
                self = .file(path: text)
            } else if let address = InspectorAddress(text) {
                self = .program(address)
            } else {
                return nil
            }
        }
    }

    static let explanation = """
        usage: tidings-top [--sort trouble|queue|drops|rate|busy] [--filter TEXT] ADDRESS
               tidings-top [--sort trouble|queue|drops|rate|busy] [--filter TEXT] FILE
               tidings-top --compare BEFORE AFTER

        Shows the observers of a program. ADDRESS is the address of the inspector, which the running program prints.
        FILE is a recording that was saved on the inspector's page. With --compare, tidings-top prints the differences
        between two addresses or files: source lines whose number of observers has changed, and the changes of other
        numbers. A recording is represented by its last snapshot.

        Keys: t sorts by trouble, w by queue length, d by drops, r by posts per second, and b by busy or stuck calls.
        c starts measuring calls for some minutes, or stops it. g groups observers by source line, or ungroups them.
        o lists the stored notifications of outboxes. In this list, j and k select a notification, s redelivers it,
        and pressing x twice drops it for good. / filters, h or space pauses, and q quits. In a recording, n shows
        the next snapshot, and p the previous one. If input or output isn't a terminal, one table is printed.
        """

    init(_ words: [String]) {
        do throws(Failure) { self = try Self.read(words) } catch { self = .wrong(error.description) }
    }

    private static func read(_ words: [String]) throws(Failure) -> Arguments {
        var words = words[...]
        var ranking = Ranking.trouble
        var filter = ""
        var place: String?
        while let word = words.popFirst() {
            switch word {
            case "--help", "-h": return .help
            case "--sort":
                guard let name = words.popFirst(), let chosen = Ranking(rawValue: name) else {
                    throw Failure("--sort needs a value: trouble, queue, drops, rate or busy")
                }
                ranking = chosen
            case "--filter":
                guard let text = words.popFirst() else { throw Failure("--filter needs a text") }
                filter = text
            case "--compare":
                // The slice begins at 1 if no other argument precedes the option.
                let sides = words.startIndex == 1 ? words.map { Side($0) } : []
                guard sides.count == 2, let before = sides[0], let after = sides[1] else {
                    throw Failure("--compare needs two files or addresses, and no other arguments")
                }
                return .comparison(before, after)
            case _ where word.hasPrefix("-") && word != "-": throw Failure("unknown option \(word)")
            default:
                if place != nil { throw Failure("expected a single address or file") }
                place = word
            }
        }
        guard let place, !place.isEmpty else { throw Failure("the address of an inspector is missing") }
        switch Side(place) {
        case .program(let address): return .program(address, ranking, filter: filter)
        case .file(let path): return .recording(path: path, ranking, filter: filter)
        case nil: throw Failure("invalid address: \(place.forTerminal)")
        }
    }
}

struct InspectorAddress: Equatable, Sendable {
    let root: URL
    let token: String?

    init?(_ text: String) {
        guard var parts = URLComponents(string: text), parts.host?.isEmpty == false else { return nil }
        token = parts.queryItems?.first { $0.name == "token" }?.value
        parts.query = nil
        parts.fragment = nil
        if !parts.path.hasSuffix("/") { parts.path += "/" }
        guard let root = parts.url else { return nil }
        self.root = root
    }

    func measuring(_ tier: InspectorSnapshot.Tier) -> URL {
        root.appending(path: "tier").appending(queryItems: [URLQueryItem(name: "tier", value: tier.rawValue)])
    }

    func snapshot(sortedBy ranking: Ranking, limit: Int) -> URL {
        root.appending(path: "snapshot").appending(queryItems: [
            URLQueryItem(name: "sort", value: ranking.sortOfObservers),
            URLQueryItem(name: "order", value: "descending"),
            URLQueryItem(name: "limit", value: "\(limit)"),
        ])
    }
}
