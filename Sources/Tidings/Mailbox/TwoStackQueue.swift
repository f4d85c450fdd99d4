/// A first-in, first-out queue made of two stacks.
///
/// Elements are pushed onto the stack `incoming` and popped from the stack `outgoing`, which is in reverse order, so
/// that the next element is the last of the array. When `outgoing` is empty, `incoming` is reversed and takes its
/// place. So each element is moved out of an array and never copied, and both ends take amortised constant time.
///
/// A whole stack moves from one queue to another by an exchange of two arrays. A mailbox relies on this: the exchange
/// takes place under its lock, and the stack, which takes linear time to reverse, is reversed after the unlock.
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

    /// The next element, which isn't removed; `nil` if there is none.
    var first: Element? { outgoing.last ?? incoming.first }

    /// Removes and returns the next element; `nil` if there is none.
    @export(implementation)
    package mutating func popFirst() -> Element? {
        if outgoing.isEmpty { reverseIncoming() }
        return outgoing.popLast()
    }

    /// Exchanges the stack with the next elements for the empty stack of another queue.
    ///
    /// - Parameter other: The other queue, which is empty.
    @export(implementation)
    mutating func moveStack(to other: inout TwoStackQueue) {
        if outgoing.isEmpty { swap(&incoming, &other.incoming) } else { swap(&outgoing, &other.outgoing) }
    }

    /// Takes back a stack that was moved out of this queue and whose elements come next.
    ///
    /// - Parameter other: The queue that holds it, which is empty afterwards.
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
