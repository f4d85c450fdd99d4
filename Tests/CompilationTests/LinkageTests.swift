#if os(Linux)
    import Foundation
    import Testing

    @Suite(.timeLimit(.minutes(2))) struct LinkageTests {
        @Test func `a program that uses Tidings doesn't load Foundation`() throws {
            let probe = try Command(BuiltProducts.directory().appending(path: "LinkageProbe").path, [])
            #expect(probe.status == 0)
            #expect(probe.output.hasPrefix("called 1\n"))
            // The output contains the standard library, so the list of libraries was read.
            #expect(probe.output.contains("libswiftCore.so"))
            #expect(!probe.output.contains("Foundation"), "\(probe.output)")
        }

        @Test func `the memory map of this test, which uses Foundation, contains libFoundation`() throws {
            let maps = try Command("cat", ["/proc/\(ProcessInfo.processInfo.processIdentifier)/maps"])
            #expect(maps.output.contains("libFoundation"), "\(maps.output)")
        }
    }
#endif
