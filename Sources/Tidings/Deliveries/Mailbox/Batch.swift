/// Elements in the order in which they arrived, handed out one by one.
///
/// They are added all before they are handed out: handing out turns the array round once, so that each element is moved
/// out of its end, not copied.
@usableFromInline
struct Batch<Element> {
    @usableFromInline var elements: [Element] = []
    @usableFromInline var isReversed = false

    @inlinable init() {}

    @inlinable var isEmpty: Bool { elements.isEmpty }
    @inlinable var count: Int { elements.count }

    @inlinable
    mutating func append(_ element: Element) {
        if isReversed { reverse() }
        elements.append(element)
    }

    @inlinable
    mutating func next() -> Element? {
        if !isReversed { reverse() }
        return elements.popLast()
    }

    @inlinable
    mutating func reverse() {
        elements.reverse()
        isReversed.toggle()
    }
}

extension Batch: Sendable where Element: Sendable {}
