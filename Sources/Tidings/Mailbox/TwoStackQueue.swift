/// A first-in, first-out queue. Elements are pushed onto `incoming` and popped from `outgoing`, which is in reverse
/// order. When `outgoing` is empty, `incoming` is reversed and takes its place. So adding and removing take amortized
/// constant time. A mailbox without a limit exchanges the arrays under its lock, and reverses after the unlock.
@usableFromInline
package struct TwoStackQueue<Element> {
    @export(implementation) var incoming: [Element] = []
    @usableFromInline var outgoing: [Element] = []

    @export(implementation) package init() {}

    @export(implementation) package var count: Int { incoming.count + outgoing.count }
    @export(implementation) package var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

    @export(implementation)
    package mutating func append(_ element: Element) { incoming.append(element) }

    mutating func prepend(_ element: Element) { outgoing.append(element) }

    var first: Element? { outgoing.last ?? incoming.first }

    @export(implementation)
    package mutating func popFirst() -> Element? {
        if outgoing.isEmpty { reverseIncoming() }
        return outgoing.popLast()
    }

    /// Moves `outgoing` or, if it is empty, `incoming` to another queue, which has to be empty.
    @export(implementation)
    mutating func moveStack(to other: inout TwoStackQueue) {
        if outgoing.isEmpty { swap(&incoming, &other.incoming) } else { swap(&outgoing, &other.outgoing) }
    }

    @export(implementation)
    mutating func takeBack(_ other: inout TwoStackQueue) {
        if other.outgoing.isEmpty { other.reverseIncoming() }
        // If `moveStack` moved a whole stack, `outgoing` is empty, and an exchange suffices.
        if outgoing.isEmpty { return swap(&outgoing, &other.outgoing) }
        outgoing += other.outgoing
        other.outgoing = []
    }

    @export(implementation)
    mutating func reverseIncoming() {
        swap(&incoming, &outgoing)
        outgoing.reverse()
    }
}

extension TwoStackQueue: Sendable where Element: Sendable {}
