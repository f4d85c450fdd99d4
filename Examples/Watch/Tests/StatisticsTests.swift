import Testing

@testable import watch

@Suite struct StatisticsTests {
    private let source = StandardInput()
    private let start = ContinuousClock.now

    private func line(_ text: String, after milliseconds: Int) -> Line {
        Line(number: 1, text.utf8, isTerminated: true, time: start + .milliseconds(milliseconds))
    }

    @Test func `lines and bytes are counted for each stream`() async {
        let statistics = Statistics(startingAt: start)
        await statistics.count(OutputLine(sender: source, line: line("one", after: 1)))
        await statistics.count(OutputLine(sender: source, line: line("two", after: 2)))
        await statistics.count(ErrorLine(sender: source, line: line("", after: 3)))
        #expect(await statistics.output == Statistics.Count(lines: 2, bytes: 8))
        #expect(await statistics.errors == Statistics.Count(lines: 1, bytes: 1))
    }

    @Test func `silence is measured across both streams, before the first line and after the last one`() async {
        let statistics = Statistics(startingAt: start)
        await statistics.count(OutputLine(sender: source, line: line("one", after: 30)))
        #expect(await statistics.longestSilence == .milliseconds(30))
        await statistics.count(ErrorLine(sender: source, line: line("two", after: 70)))
        await statistics.count(OutputLine(sender: source, line: line("three", after: 90)))
        #expect(await statistics.longestSilence == .milliseconds(40))
        await statistics.end(at: start + .milliseconds(1590))
        #expect(await statistics.longestSilence == .milliseconds(1500))
    }

    @Test func `a line that is counted late does not lengthen a silence`() async {
        let statistics = Statistics(startingAt: start)
        await statistics.count(OutputLine(sender: source, line: line("one", after: 30)))
        await statistics.count(ErrorLine(sender: source, line: line("two", after: 20)))
        await statistics.end(at: start + .milliseconds(45))
        #expect(await statistics.longestSilence == .milliseconds(30))
    }
}
