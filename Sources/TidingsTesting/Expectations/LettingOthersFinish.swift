/// Gives other threads the chance to leave what they have finished with, until a condition holds.
///
/// An observer has finished a moment before the thread that called it lets go of the observer's owner. No time is measured:
/// others get their turn so often, and then the answer counts.
func letOthersFinish(until condition: () -> Bool) async {
    for _ in 0..<10_000 where !condition() { await Task.yield() }
}
