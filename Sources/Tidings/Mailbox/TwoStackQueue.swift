/// A first-in, first-out queue made of two stacks.
///
/// Elements are pushed onto `incoming` and popped from `outgoing`, which is in reverse order. When `outgoing` is empty,
/// `incoming` is reversed and takes its place. So each element is moved and never copied, and both ends take amortised
/// constant time.
///
/// A whole stack moves to another queue by an exchange of two arrays. A mailbox makes the exchange under its lock, and
/// the linear-time reversal after the unlock.
@usableFromInline
package struct TwoStackQueue<Element> {
    @export(implementation) var incoming: [Element] = []
    @usableFromInline var outgoing: [Element] = []

    @export(implementation) package init() {}

    @export(implementation) package var count: Int { incoming.count + outgoing.count }
    @export(implementation) package var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

    @export(implementation)
    package mutating func append(_ element: Element) { incoming.append(element) }

    /// Takes back an element that was removed, as the next one.
    mutating func prepend(_ element: Element) { outgoing.append(element) }

    var first: Element? { outgoing.last ?? incoming.first }

    /// Removes and returns the next element; `nil` if there is none.
    @export(implementation)
    package mutating func popFirst() -> Element? {
        if outgoing.isEmpty { reverseIncoming() }
        return outgoing.popLast()
    }

    /// Exchanges the stack with the next elements for the empty stack of another queue, which has to be empty.
    @export(implementation)
    mutating func moveStack(to other: inout TwoStackQueue) {
        if outgoing.isEmpty { swap(&incoming, &other.incoming) } else { swap(&outgoing, &other.outgoing) }
    }

    /// Takes back a stack that was moved to another queue, and whose elements come next.
    @export(implementation)
    mutating func takeBack(_ other: inout TwoStackQueue) {
        if other.outgoing.isEmpty { other.reverseIncoming() }
        // If whole stacks were moved, `outgoing` is empty, and an exchange suffices.
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
