import Testing

@testable import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct UnwrappingTests {
    @Test func `a value is unwrapped from optionals and hashable wrappers nested in any order`() {
        let inHashable = AnyHashable(Optional("a")) as Any
        let inOptional = Optional(AnyHashable("b")) as Any
        let inBoth = AnyHashable(Optional(AnyHashable("c"))) as Any
        let plain = AnyHashable("d") as Any
        for (value, text) in [(inHashable, "a"), (inOptional, "b"), (inBoth, "c"), (plain, "d")] {
            let found = unwrapped(value)
            #expect(type(of: found) == String.self)
            #expect(found as? String == text)
        }
    }
}
