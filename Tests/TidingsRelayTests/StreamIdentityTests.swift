import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite struct StreamIdentityTests {
    private func identities(_ name: String, _ secret: String? = nil) -> StreamIdentities {
        var options = RelayOptions(name: name)
        options.identitySecret = secret
        return StreamIdentities(options)
    }

    @Test func `HMAC codes match the test vectors of RFC 4231`() {
        #expect(
            HMAC.code(of: "Hi There", Array(repeating: 0x0B, count: 20))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            HMAC.code(of: "what do ya want for nothing?", Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            HMAC.code(
                of: "Test Using Larger Than Block-Size Key - Hash Key First", Array(repeating: 0xAA, count: 131))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func `programs that choose the same identity don't suppress each other's notifications`() {
        #expect(identities("shop").identity("order-7", isChosen: true) == "shop.order-7")
        #expect(identities("billing").identity("order-7", isChosen: true) == "billing.order-7")
        #expect(identities("shop").identity("x1-7", isChosen: false) == "x1-7")
    }

    @Test func `only programs with the secret can create an identity, and replicas create the same identity`() {
        for isChosen in [false, true] {
            let one = identities("shop", "secret").identity("order-7", isChosen: isChosen)
            #expect(one == identities("shop", "secret").identity("order-7", isChosen: isChosen))
            #expect(one != identities("shop", "guess").identity("order-7", isChosen: isChosen))
            #expect(!one.contains("order-7") && one.hasPrefix("shop."))
        }
    }
}
