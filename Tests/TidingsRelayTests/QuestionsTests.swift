import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct QuestionsTests {
    private let link = MemoryLink(MemoryServer()) { _ in }
    private let questions = Questions(inbox: "inbox.")

    private func answer(_ number: UInt64) {
        questions.answer(number, RelayMessage("inbox.q\(number)", text: #"{"a":1}"#))
    }

    private func sent(_ count: Int) async -> [RelayMessage] {
        await eventually("enough messages are published", { link.published.count }, until: { $0 >= count })
        return link.published
    }

    @Test(arguments: ["STREAM.INFO.A", "CONSUMER.INFO.A.b", "STREAM.MSG.GET.A"])
    func `read-only requests are repeated every two seconds, because a cluster without a leader never answers`(
        request: String
    ) async throws {
        async let answered = questions.ask(link, "$JS.API.\(request)", "{}", at: .seconds(1))
        _ = await sent(1)
        questions.tick(at: .seconds(2))
        #expect(link.published.count == 1)
        questions.tick(at: .seconds(3))
        questions.tick(at: .seconds(4))
        questions.tick(at: .seconds(5))
        let messages = link.published
        #expect(messages.count == 3 && Set(messages.map(\.reply)) == ["inbox.q1"])
        #expect(messages.allSatisfy { $0.subject == "$JS.API.\(request)" && $0.body == messages[0].body })
        answer(1)
        answer(1)
        #expect(try await answered.number("a") == 1)
        questions.tick(at: .seconds(9))
        #expect(link.published.count == 3)
    }

    @Test(arguments: ["$JS.API.STREAM.CREATE.A", "$JS.API.STREAM.MSG.DELETE.A", "notes.INFO.place"])
    func `requests that change something are sent once and fail after ten seconds`(subject: String) async {
        let answered = Task { [questions, link] in try await questions.ask(link, subject, "", at: .zero).string("a") }
        _ = await sent(1)
        questions.tick(at: .seconds(9))
        questions.tick(at: .seconds(11))
        let fault = await #expect(throws: RelayFault.self) { try await answered.value }
        #expect(fault?.kind == .rejected && fault?.subject == subject && link.published.count == 1)
    }

    @Test func `the time limit of a request begins with the request, even if the clock started long before`()
        async throws
    {
        let clock = ManualClock()
        let service = StreamService(link: link, questions: questions, clock: ElapsedClock(clock))
        clock.advance(by: .seconds(11))
        async let answered = service.ask("STREAM.CREATE.A")
        _ = await sent(1)
        questions.tick(at: .seconds(12))
        answer(1)
        #expect(try await answered?.number("a") == 1)
    }

    @Test
    func `two programs that create one stream request a common subject, so old servers reject one request`()
        async throws
    {
        let service = StreamService(link: link, questions: questions, clock: ElapsedClock(ManualClock()))
        var requested: [Set<String>] = []
        for (index, subject) in ["a.*", "b.*"].enumerated() {
            async let stream = service.provideStream(
                "S", [subject], retention: nil, replicas: 1, duplicateWindow: .zero)
            _ = await sent(2 * index + 1)
            let number = UInt64(2 * index + 1)
            questions.answer(number, RelayMessage("inbox.q\(number)", text: #"{"error":{"code":404}}"#))
            let request = await sent(2 * index + 2)[2 * index + 1]
            #expect(request.subject == "$JS.API.STREAM.CREATE.S")
            requested.append(Set(try JSONMembers(request.body).strings("subjects") ?? []))
            answer(number + 1)
            _ = try await stream
        }
        #expect(requested[0].contains("a.*") && requested[1].contains("b.*"))
        #expect(!requested[0].isDisjoint(with: requested[1]))
    }
}
