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

    @Suite(.timeLimit(.minutes(2))) struct ObserverLockTests {
        @Test func `a program that this one starts does not inherit the right to run an observer`() async throws {
            let folder = TestFolder()
            let store = SQLiteOutboxStore(try DatabasePool(path: folder.path("shop")))
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            let descriptors = locks(in: folder)
            #expect(descriptors.count == 1)
            for descriptor in descriptors { #expect(fcntl(Int32(descriptor), F_GETFD) & FD_CLOEXEC != 0) }
            await session.end(isClean: true)
        }

        @Test func `an observer is free when its session ends, also while a program that starts has its files`()
            async throws
        {
            let folder = TestFolder()
            let store = SQLiteOutboxStore(try DatabasePool(path: folder.path("shop")))
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            // As the copy that a process has between its fork and its program.
            let copies = locks(in: folder).map { dup(Int32($0)) }
            #expect(copies.count == 1)
            await session.end(isClean: true)
            let next = try await store.claim("worker", beginningAt: 0)
            #expect(next != nil)
            await next?.end(isClean: true)
            for copy in copies { close(copy) }
        }

        /// The descriptors of the locks on observers whose files are in a folder.
        private func locks(in folder: TestFolder) -> [Int] {
            (3..<1024).filter { number in
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return path?.hasPrefix(folder.path) == true && path?.hasSuffix("-outbox-worker") == true
            }
        }
    }
#endif
