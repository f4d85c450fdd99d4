import Testing
import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct SubjectTests {
    let subjects: Subjects

    init() throws { subjects = try Subjects(prefix: "shop.eu") }

    @Test func `a subject contains the name, the version and the sender if there is one`() throws {
        let type = EventType(name: "orders.placed", version: 2)
        #expect(try subjects.subject(type, sender: nil, hasSenders: false) == "shop.eu.orders.placed.v2")
        #expect(try subjects.subject(type, sender: "a-7", hasSenders: true) == "shop.eu.orders.placed.v2.~.a-7")
        // Even without a sender, the subject has a token for the sender, so that one pattern matches all subjects.
        #expect(try subjects.subject(type, sender: nil, hasSenders: true) == "shop.eu.orders.placed.v2.~.=")
    }

    @Test func `a subject pattern covers all versions of a type, from all senders or from one`() throws {
        #expect(try subjects.pattern("orders.placed", sender: nil, hasSenders: false) == "shop.eu.orders.placed.*")
        #expect(try subjects.pattern("orders.placed", sender: nil, hasSenders: true) == "shop.eu.orders.placed.*.~.*")
        #expect(
            try subjects.pattern("orders.placed", sender: "a b", hasSenders: true) == "shop.eu.orders.placed.*.~.a=20b")
    }

    @Test func `no part of a sender becomes a wildcard, a space, a line break or a dot`() throws {
        for sender in ["*", ">", "a.b", "a b", "a\r\nPUB x 1", "\u{0}", "ä", "=", "~", "👩‍👩‍👧", "a\tb"] {
            let subject = try subjects.subject(EventType(name: "n", version: 1), sender: sender, hasSenders: true)
            let token = try #require(subject.split(separator: ".").last)
            #expect(subject.split(separator: ".").count == 6, "\(subject)")
            #expect(token.utf8.allSatisfy { (0x30...0x7A).contains($0) || $0 == 0x2D }, "\(subject)")
        }
        let tokens = try ["a", "=61", "a=", "A", "", " "].map {
            try subjects.subject(EventType(name: "n", version: 1), sender: $0, hasSenders: true)
        }
        #expect(Set(tokens).count == tokens.count)
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "a b", "a*", ">", "a\r\nb", "ä", "a~", String(repeating: "a", count: 256),
    ])
    func `a name that can't be part of a subject is rejected with the reason`(name: String) {
        let fault = #expect(throws: RelayFault.self) { try Subjects(prefix: name) }
        #expect(fault?.kind == .invalidName)
        #expect(fault?.detail.contains("\n") == false && fault?.detail.contains("\r") == false)
    }

    @Test func `a sender that is too long is rejected`() throws {
        let type = EventType(name: "n", version: 1)
        let longest = String(repeating: "a", count: 255)
        #expect(try subjects.subject(type, sender: longest, hasSenders: true).hasSuffix(longest))
        let fault = #expect(throws: RelayFault.self) {
            try subjects.subject(type, sender: longest + "a", hasSenders: true)
        }
        #expect(fault?.kind == .invalidName)
    }

    @Test func `the type of an event consists of a name and a version`() {
        #expect(EventType("a.b.v12") == EventType(name: "a.b", version: 12))
        #expect(EventType(name: "a.b", version: 12).description == "a.b.v12")
        for text in ["", "a", "a.b", "a.vx", "a.v", "a.v-1", "v1", "a.v99999999999999999999"] {
            #expect(EventType(text) == nil)
        }
    }

    @Test func `a value sender is identified by its description, and an object sender by its remoteSender property`() {
        #expect(Placed(sender: "a", amount: 1).remoteSender == "a")
        #expect(Tick().remoteSender == nil)
        #expect(BalanceChanged(sender: Account(number: "7")).remoteSender == "7")
    }
}
