#if GRDB
    import Foundation
    import GRDB
    import Testing
    import Tidings
    import TidingsOutbox

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    @Suite(.timeLimit(.minutes(20))) struct ObserverLockTests {
        @Test func `a program that this one starts does not inherit the right to run an observer`() async throws {
            let folder = TestFolder()
            let store = SQLiteStore(try DatabasePool(path: folder.path("shop")))
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            let descriptors = (3..<1024).filter { number in
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return path?.hasPrefix(folder.path) == true && path?.hasSuffix("-outbox-worker") == true
            }
            #expect(descriptors.count == 1)
            for descriptor in descriptors { #expect(fcntl(Int32(descriptor), F_GETFD) & FD_CLOEXEC != 0) }
            await session.end(isClean: true)
        }
    }
#endif
