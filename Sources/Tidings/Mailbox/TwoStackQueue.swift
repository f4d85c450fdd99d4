/// A first-in, first-out queue of two stacks.
///
/// Elements arrive on the stack `incoming` and leave from the stack `outgoing`, which is in reverse order, so that the next
/// element is the last of the array. When `outgoing` is used up, `incoming` is reversed and takes its place. So each element is
/// moved out of an array, never copied, and both ends take amortised constant time however many elements wait.
///
/// A whole stack passes from one queue to another by an exchange of two arrays. A mailbox relies on this: the exchange takes
/// place under its lock, and reversing the stack, which takes longer the more it holds, after that.
@usableFromInline
package struct TwoStackQueue<Element> {
    @export(implementation) var incoming: [Element] = []
    @usableFromInline var outgoing: [Element] = []

    @export(implementation) package init() {}

    @export(implementation) package var count: Int { incoming.count + outgoing.count }
    @export(implementation) package var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

    @export(implementation)
    package mutating func append(_ element: Element) { incoming.append(element) }

    /// Takes back an element that was taken out, as the next one.
    mutating func prepend(_ element: Element) { outgoing.append(element) }

    /// The next element, which stays; `nil` if there is none.
    var first: Element? { outgoing.last ?? incoming.first }

    /// Takes the next element out; `nil` if there is none.
    @export(implementation)
    package mutating func popFirst() -> Element? {
        if outgoing.isEmpty { reverseIncoming() }
        return outgoing.popLast()
    }

    /// Exchanges the stack whose elements are the next to leave for the empty one of another queue.
    ///
    /// - Parameter other: The other queue, which is empty.
    @export(implementation)
    mutating func moveStack(to other: inout TwoStackQueue) {
        if outgoing.isEmpty { swap(&incoming, &other.incoming) } else { swap(&outgoing, &other.outgoing) }
    }

    /// Takes back a stack that was moved out of this queue, whose elements are the next to leave.
    ///
    /// - Parameter other: The queue that has it, and is empty afterwards.
    @export(implementation)
    mutating func takeBack(_ other: inout TwoStackQueue) {
        if other.outgoing.isEmpty { other.reverseIncoming() }
        // Empty, if whole stacks were moved; an exchange is enough.
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
