import Testing

@testable import watch

@Suite struct SummaryTests {
    private func summary(silence: Duration) -> [String] {
        Summary(
            title: "make", ending: .exited(2), output: Statistics.Count(lines: 1, bytes: 20),
            errors: Statistics.Count(lines: 0, bytes: 0), longestSilence: silence, remarks: ["a remark"], posts: 2,
            deliveries: 6
        )
        .lines
    }

    @Test func `the summary has the ending, the counts, the longest silence, the remarks, and the posts`() {
        #expect(
            summary(silence: .milliseconds(999)) == [
                "make: exited with status 2", "output 1 line, 20 bytes; errors 0 lines, 0 bytes",
                "longest silence 999 ms", "a remark", "2 posts, 6 deliveries",
            ])
    }

    @Test func `a long silence is in seconds`() {
        #expect(summary(silence: .milliseconds(61_005)).contains("longest silence 61.005 s"))
    }
}
