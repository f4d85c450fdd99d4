import Foundation
import Tidings

/// Prints a line at once, even if the output is a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Executes commands from the lines of standard input, one at a time. With a command, a test causes an event, and then
/// waits until the inspector displays the event.
final class Commands {
    private let shop: Shop
    private let letters: Letters
    private var number = 0
    private var kept: [NotificationToken] = []
    private var flood: Task<Void, Never>?

    init(_ shop: Shop, _ letters: Letters) {
        self.shop = shop
        self.letters = letters
    }

    func obey() async throws {
        while let line = readLine() {
            let words = line.split(separator: " ")
            let count = words.count > 1 ? Int(words[1]) ?? 1 : 1
            switch words.first {
            case "order":
                for _ in 0..<count {
                    number += 1
                    shop.order(number)
                }
            case "view": for page in 0..<count { shop.view(page) }
            case "close": await shop.door.close()
            case "open": await shop.door.open()
            case "write": try letters.write(count)
            case "refuse": await letters.office.set(isOpen: false)
            case "accept": await letters.office.set(isOpen: true)
            case "observe":
                kept += (0..<count).map { index in
                    shop.center.addObserver(for: PageViewed.self) { _ in _ = index }
                }
            case "hostile": hostile()
            case "leave": kept = []
            case "flood":
                let rate = words.count > 1 ? count : nil
                flood = Task.detached { [shop] in
                    // Makes 200,000 posts a second, or the given number, unless the machine is too slow.
                    let token = shop.center.addObserver(for: Ticked.self) { _ in }
                    var last = ContinuousClock.now
                    while !Task.isCancelled {
                        let now = ContinuousClock.now
                        let due = rate.map { Int(Double($0) * ((now - last) / .seconds(1))) } ?? 1000
                        last = now
                        for _ in 0..<min(due, 20_000) { shop.center.post(Ticked()) }
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                    token.cancel()
                }
            case "calm":
                flood?.cancel()
                await flood?.value
                flood = nil
            default: say("unknown: \(line)")
            }
            say("done: \(line)")
        }
    }

    /// Adds observers and posts notifications with untrusted names.
    private func hostile() {
        let names = [
            "<script>document.title = 'broken'</script>", "<img src=x onerror=\"document.title = 'broken'\">",
            "\u{202E}gpj.exe\u{2066}\u{200F}", "\u{1B}[2J\u{0}\n&lt;b&gt;",
            String(repeating: "<b>long</b> ", count: 100_000),
            String(decoding: [0x61, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0x7A] as [UInt8], as: UTF8.self),
        ]
        for name in names {
            kept.append(shop.center.addObserver(for: OrderPlaced.self, sender: Branch(name: name)) { _ in })
            kept.append(shop.center.addObserver(for: `<script>document.title = 'broken'</script>`.self) { _ in })
            shop.center.post(OrderPlaced(sender: Branch(name: name), number: -1, item: name))
            shop.center.post(`<script>document.title = 'broken'</script>`(text: name))
        }
    }
}

struct Ticked: TypedNotification, Hashable {}

struct `<script>document.title = 'broken'</script>`: TypedNotification, Hashable {
    let text: String
}
