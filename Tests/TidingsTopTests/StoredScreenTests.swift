import Foundation
import Testing
import TidingsInspector

@testable import tidings_top

@Suite(.timeLimit(.minutes(2))) struct StoredScreenTests {
    private func stored(
        mayChange: Bool = true, isKnown: Bool = true, isHeld: Bool = false, count: Int = 3, observer: String = "mails"
    ) throws -> InspectorSnapshot.Stored {
        let entries = (0..<count).map { number in
            """
            {"kind":"\(number == 0 ? "waiting" : "deadLetter")","observer":"\(observer)","id":"s-\(number)",\
            "notification":"orders.placed","attempts":3,"error":"no\\u001b[31m","stored":1767225000,\
            "isHeld":\(isHeld && number == 0)}
            """
        }
        let json = """
            {"mayChange":\(mayChange),"outboxes":[{"name":"outbox","isKnown":\(isKnown),"observers":[{"name":"mails",\
            "runsHere":true,"backlog":4,"retried":1,"deadLetters":2}],"entries":[\(entries.joined(separator: ","))]}]}
            """
        return try JSONDecoder().decode(InspectorSnapshot.Stored.self, from: Data(json.utf8))
    }

    private func screen(_ state: TopState, width: Int = 100, height: Int = 24) throws -> [String] {
        Screen(try exampleSnapshot(), state, status: "live", size: (width, height)).lines.map(\.text)
    }

    private func press(_ state: inout TopState, _ keys: String) { for key in keys.utf8 { _ = state.press(key) } }

    @Test func `the key o shows the stored notifications, and hides them again`() throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(try stored())
        let lines = try screen(state)
        #expect(lines.contains { $0.hasPrefix("outbox   mails: 4 behind, 1 retried, 2 dead") })
        #expect(lines.contains { $0.hasPrefix("> waiting") && $0.contains("orders.placed") })
        #expect(!lines.contains { $0.contains("\u{1B}") })
        #expect(lines.last == "j k choose  o back  h hold  q quit")
        press(&state, "j")
        #expect(try screen(state).last == "j k choose  s redeliver  x drop  o back  h hold  q quit")
        press(&state, "o")
        #expect(state.stored == nil)
        #expect(try screen(state).contains { $0.contains("o stored") })
    }

    @Test func `the key s redelivers the chosen dead letter, and pressing x twice drops it`() throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(try stored())
        // A waiting notification can't be changed unless it is held for a retry.
        press(&state, "sxx")
        #expect(state.takeWishToChange() == nil)
        press(&state, "js")
        #expect(state.takeWishToChange()?.action == .redrive)
        press(&state, "x")
        #expect(state.takeWishToChange() == nil)
        #expect(try screen(state).last == "x again drops it for good")
        press(&state, "jx")
        #expect(state.takeWishToChange() == nil)
        press(&state, "x")
        let wish = state.takeWishToChange()
        #expect(wish?.action == .drop && wish?.entry.id == "s-2")
        let address = try #require(InspectorAddress("http://127.0.0.1:80/?token=abc"))
        #expect(
            try address.changing(#require(wish)).query()
                == "outbox=outbox&action=drop&kind=deadLetter&id=s-2&observer=mails")
    }

    @Test func `the key x drops a notification that waits for a retry, and s doesn't redeliver it`() throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(try stored(isHeld: true))
        #expect(try screen(state).last == "j k choose  x drop  o back  h hold  q quit")
        press(&state, "s")
        #expect(state.takeWishToChange() == nil)
        press(&state, "xx")
        let taken = state.takeWishToChange()
        let wish = try #require(taken)
        #expect(wish.action == .drop && wish.entry.kind == .waiting)
        let address = try #require(InspectorAddress("http://127.0.0.1:80/?token=abc"))
        #expect(address.changing(wish).query() == "outbox=outbox&action=drop&kind=waiting&id=s-0&observer=mails")
    }

    @Test func `the keys h and space hold the list of stored notifications, and Q quits`() throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(try stored())
        press(&state, "jxh")
        #expect(state.isHeld)
        // The key h has cancelled the first press of x.
        press(&state, "x")
        #expect(state.takeWishToChange() == nil)
        press(&state, " ")
        #expect(!state.isHeld && state.stored != nil)
        let goesOn = state.press(UInt8(ascii: "Q"))
        #expect(!goesOn)
    }

    @Test func `a list that is opened while the display is held is filled once, and then doesn't change`() throws {
        var state = TopState(.queue)
        press(&state, "ho")
        // The inspector sends the first response before the store has responded.
        state.show(try stored(isKnown: false, count: 0))
        #expect(state.stored?.chosen == nil)
        state.show(try stored(count: 3))
        #expect(state.stored?.rows.count == 3)
        state.show(try stored(count: 2))
        #expect(state.stored?.rows.count == 3)
        press(&state, "h")
        state.show(try stored(count: 2))
        #expect(state.stored?.rows.count == 2)
    }

    @Test func `a second x does not drop a different row that has taken the place of the first row`() throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(try stored())
        press(&state, "jx")
        state.show(try stored())
        #expect(try screen(state).last == "x again drops it for good")
        // The same notification is also a dead letter of another observer.
        state.show(try stored(observer: "stock"))
        #expect(state.stored?.chosen?.entry.id == "s-1")
        press(&state, "x")
        #expect(state.takeWishToChange() == nil)
    }

    @Test func `the screen shows why the last query or change failed`() throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(Failure("too old"), ofChange: false)
        #expect(try screen(state).contains("too old"))
        state.show(Failure("not found"), ofChange: true)
        state.show(try stored())
        let lines = try screen(state)
        #expect(lines.contains("not found") && !lines.contains("too old"))
        press(&state, "j")
        #expect(try screen(state).contains("not found") == false)
    }

    @Test func `without permission to make changes, keys only move the selection`() throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(try stored(mayChange: false))
        press(&state, "jsxx")
        #expect(state.takeWishToChange() == nil)
        #expect(try screen(state).last?.hasPrefix("no changes allowed") == true)
    }

    @Test func `a list that becomes shorter keeps the selection or moves it to the end`() throws {
        var state = TopState(.queue)
        press(&state, "ojj")
        state.show(try stored())
        press(&state, "jj")
        #expect(state.stored?.chosen?.entry.id == "s-2")
        state.show(try stored(count: 2))
        #expect(state.stored?.chosen?.entry.id == "s-1")
        state.show(try stored(count: 0))
        #expect(state.stored?.chosen == nil)
        press(&state, "jkxs")
        #expect(state.takeWishToChange() == nil)
    }

    @Test(arguments: [20, 40, 80, 140])
    func `the list is never wider or higher than the terminal, and the chosen row is in view`(width: Int) throws {
        var state = TopState(.queue)
        press(&state, "o")
        state.show(try stored(count: 300))
        for height in [8, 24] {
            for _ in 0..<40 { press(&state, "j") }
            let lines = try screen(state, width: width, height: height)
            #expect(lines.count <= height && lines.allSatisfy { $0.columns <= width })
            #expect(lines.contains { $0.hasPrefix(">") })
        }
    }
}
