struct Runner {
    let rounds: Int

    /// The target duration of a sample, in nanoseconds.
    let sampleTime: Double

    /// A disturbed sample is repeated until it is undisturbed, at most for this time. If it stays disturbed, the lowest
    /// value is used.
    let patience: Duration

    /// The maximum total duration of a contender's samples. Slow contenders have fewer samples, but at least three.
    let budget: Duration

    /// Measures all contenders of a workload, or only those in `places`. Throws a `Miscount` if work was skipped or
    /// done twice.
    @MainActor
    func run(_ workload: Workload, only places: Set<Bar.Place>? = nil) async throws -> [Result] {
        let contenders = try await workload.contenders().filter { contender in
            guard let places else { return true }
            let place = Bar.Place(
                workload: workload.name, parameter: contender.parameter, subject: contender.subject)
            return places.contains(place)
        }
        var counts: [Int] = []
        for contender in contenders {
            if let count = workload.count {
                _ = try await contender.sample(count)
                counts.append(count)
            } else {
                counts.append(try await count(for: contender))
            }
        }
        var samples = [[Sample]](repeating: [], count: contenders.count)
        var spent = [Duration](repeating: .zero, count: contenders.count)
        for round in 0..<rounds {
            for turn in contenders.indices {
                // The order rotates, so that no contender always has the same place in the round.
                let index = (turn + round) % contenders.count
                if samples[index].count >= 3, spent[index] > budget { continue }
                let began = ContinuousClock.now
                samples[index].append(try await sample(contenders[index], counts[index]))
                spent[index] += began.duration(to: .now)
            }
        }
        for contender in contenders { try contender.finish() }
        return contenders.indices.map { index in
            Result(workload, contenders[index], samples[index], count: counts[index])
        }
    }

    @MainActor
    private func count(for contender: Contender) async throws -> Int {
        var count = 1
        while true {
            var value = try await sample(contender, count).value
            // A sample may include a wait for a core, which isn't part of the work, so the minimum is used.
            for _ in 0..<2 where value > sampleTime / 4 { value = min(value, try await sample(contender, count).value) }
            if value > sampleTime / 4 { return max(1, Int(Double(count) * sampleTime / value)) }
            count *= value > sampleTime / 32 ? 2 : 16
        }
    }

    @MainActor
    private func sample(_ contender: Contender, _ count: Int) async throws -> Sample {
        var best = try await contender.sample(count)
        let deadline = ContinuousClock.now + patience
        while best.wasDisturbed, ContinuousClock.now < deadline {
            let next = try await contender.sample(count)
            if !next.wasDisturbed || next.value < best.value { best = next }
        }
        return best
    }
}
