// A wait that closes a cycle would never end, so no such wait is made. In the graph, a mailbox has an edge to the
// delivery or the mailbox for which its running call waits. A delivery has edges to the mailboxes with calls of its
// scope, and to the deliveries that such calls have made. A durable queue has edges to the deliveries of its running
// rows. A cycle can arise when a call begins to wait, and when a call of a scope is put into a mailbox. So both
// operations check for a cycle.

extension WaitGraph {
    typealias Wait = (call: Call, target: Node)

    /// Records that a call waits until a mailbox is drained. Returns `false` if the call would wait for itself.
    mutating func beginDrain(_ call: Call, of mailbox: Node) -> Bool {
        if closesCycle(call, to: mailbox) { return false }
        beginWait(call, for: mailbox)
        return true
    }

    /// Records that a call waits for `target`. A call that can't be suspended doesn't wait, so it isn't recorded.
    mutating func beginWait(_ call: Call, for target: Node) {
        if call.canWait { waits[call.mailbox, default: []].append((call, target)) }
    }

    /// Removes the wait in place, because a copy for each of a call's waits would take quadratic time.
    mutating func endWait(_ call: Call, for target: Node) {
        guard let index = waits[call.mailbox]?.lastIndex(where: { $0.call === call && $0.target == target }) else {
            return
        }
        waits[call.mailbox]?.remove(at: index)
        if waits[call.mailbox]?.isEmpty == true { waits[call.mailbox] = nil }
    }

    /// Ends one wait for each element of `targets`. A single pass finds all waits that are recorded in this order, so
    /// the end of a drain takes linear time, even during another drain of the same call. `endWait` finds the others.
    mutating func endWaits(_ call: Call, for targets: [Node]) {
        var left: [Wait] = []
        var count = 0
        for wait in waits[call.mailbox, default: []] {
            if count < targets.count, wait.call === call, wait.target == targets[count] {
                count += 1
            } else {
                left.append(wait)
            }
        }
        waits[call.mailbox] = left.isEmpty ? nil : left
        while count < targets.count {
            endWait(call, for: targets[count])
            count += 1
        }
    }

    func closesCycle(_ call: Call, to node: Node) -> Bool {
        guard call.canWait, call.isRunning else { return false }
        var pending = [node]
        // A dictionary and not a set, so that it shares its code with the dictionaries of deliveries. The values have
        // no meaning.
        var seen = [node: 1]
        while let node = pending.popLast() {
            if node == .mailbox(call.mailbox) { return true }
            for next in successors(of: node) where seen[next] == nil {
                seen[next] = 1
                pending.append(next)
            }
        }
        return false
    }

    private func successors(of node: Node) -> [Node] {
        switch node {
        case .scope(let scope):
            return scopes[scope]?.nodes ?? []
        case .mailbox(let mailbox):
            let running = waits[mailbox, default: []].filter { $0.call.isRunning }
            return running.flatMap { wait in
                guard case .scope(let scope) = wait.target, let state = scopes[scope] else { return [wait.target] }
                return Array(state.outstanding.keys)
            }
        }
    }
}
