import Foundation
import Logging
import Testing

@testable import Warehouse

@Suite struct JSONLogTests {
    @Test func `a line of the log is a JSON object, whatever it contains`() async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        var logger = Logger(label: "shop") { JSONLog(label: $0) { continuation.yield($0) } }
        logger[metadataKey: "request"] = "7"
        logger.debug("not logged")
        logger.error("said \"no\"\nand went", metadata: ["tidings.observer": "mailed", "request": "8"])
        continuation.finish()
        var all: [String] = []
        for await line in lines { all.append(line) }
        #expect(all.count == 1 && !all[0].contains("\n"))
        var fields = try JSONDecoder().decode([String: String].self, from: Data(all[0].utf8))
        #expect(fields.removeValue(forKey: "time") != nil)
        #expect(
            fields == [
                "label": "shop", "level": "error", "message": "said \"no\"\nand went", "request": "8",
                "tidings.observer": "mailed",
            ])
    }
}
