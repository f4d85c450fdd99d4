/// Gives other threads the chance to do what they are about to do, until a condition holds.
///
/// Where nobody can tell that something will not happen any more, this is what comes before saying so: an observer has
/// finished a moment before its thread lets go of the observer's owner, and who was woken up by a clock needs a thread to go
/// on. An expectation that is met returns as soon as it is; one that is not is given up after two seconds.
func letOthersFinish(until condition: () -> Bool) async {
    let end = ContinuousClock.now + .seconds(2)
    var turns = 0
    while !condition(), !Task.isCancelled, ContinuousClock.now < end {
        turns += 1
        // A turn for each of those who are ready; then the machine is busy with something else.
        if turns < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
}
