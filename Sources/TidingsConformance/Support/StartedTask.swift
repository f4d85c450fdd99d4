/// Starts a task that has come to its first suspension, or to its end, when this returns.
///
/// On systems that cannot start a task at once it has had many opportunities to.
func startedTask(_ body: @escaping @Sendable () async -> Void) async -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return Task.immediate { await body() }
    }
    let task = Task { await body() }
    await letOthersRun()
    return task
}

/// Gives tasks that can go on many opportunities to.
func letOthersRun() async {
    for _ in 0..<1000 { await Task.yield() }
}
