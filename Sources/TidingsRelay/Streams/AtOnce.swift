/// Calls `body` concurrently. Returns the results in the order of values, or throws the first failure in that order.
func atOnce<Value: Sendable, Element: Sendable>(
    _ values: [Value], _ body: @escaping @Sendable (Value) async throws(RelayFault) -> Element
) async throws(RelayFault) -> [Element] {
    let results = await withTaskGroup(of: (Int, Result<Element, RelayFault>).self) { group in
        for (index, value) in values.enumerated() {
            group.addTask {
                do throws(RelayFault) { return (index, .success(try await body(value))) } catch {
                    return (index, .failure(error))
                }
            }
        }
        var results: [(Int, Result<Element, RelayFault>)] = []
        for await result in group { results.append(result) }
        return results.sorted { $0.0 < $1.0 }
    }
    var elements: [Element] = []
    for (_, result) in results { elements.append(try result.get()) }
    return elements
}
