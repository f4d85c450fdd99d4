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
        @Test func `a child process doesn't inherit the lock of an observer`() async throws {
            let folder = TestFolder()
            let store = SQLiteOutboxStore(try DatabasePool(path: folder.path("shop")))
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            let descriptors = locks(in: folder)
            #expect(descriptors.count == 1)
            for descriptor in descriptors { #expect(fcntl(Int32(descriptor), F_GETFD) & FD_CLOEXEC != 0) }
            await session.end(isClean: true)
        }

        @Test func `an observer can be claimed when its session ends, even if a child process has copies of its lock`()
            async throws
        {
            let folder = TestFolder()
            let store = SQLiteOutboxStore(try DatabasePool(path: folder.path("shop")))
            _ = try await store.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            // These copies stand for the copies that a child process has between `fork` and `exec`.
            let copies = locks(in: folder).map { dup(Int32($0)) }
            #expect(copies.count == 1)
            await session.end(isClean: true)
            let next = try await store.claim("worker", beginningAt: 0)
            #expect(next != nil)
            await next?.end(isClean: true)
            for copy in copies { close(copy) }
        }

        @Test func `if a lock file can't be opened, claiming its observer throws an error with the file's path`()
            async throws
        {
            let folder = TestFolder()
            let store = SQLiteOutboxStore(try DatabasePool(path: folder.path("shop")))
            _ = try await store.prepare()
            let file = folder.path("shop-outbox-worker")
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            let error = await #expect(throws: OutboxError.self) {
                _ = try await store.claim("worker", beginningAt: 0)
            }
            #expect(error?.code == .unreachable && error?.description.contains(file) == true)
            try FileManager.default.removeItem(atPath: file)
            let session = try await store.claim("worker", beginningAt: 0)
            #expect(session != nil)
            await session?.end(isClean: true)
        }

        @Test func `programs that open a database by different paths share the lock of an observer`() async throws {
            let folder = TestFolder()
            let store = SQLiteOutboxStore(try DatabasePool(path: folder.path("shop")))
            _ = try await store.prepare()
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("link"), withDestinationPath: folder.path("shop"))
            let other = SQLiteOutboxStore(try DatabasePool(path: folder.path("link")))
            _ = try await other.prepare()
            let session = try #require(try await store.claim("worker", beginningAt: 0))
            #expect(try await other.claim("worker", beginningAt: 0) == nil)
            await session.end(isClean: true)
            let next = try #require(try await other.claim("worker", beginningAt: 0))
            await next.end(isClean: true)
        }

        private func locks(in folder: TestFolder) -> [Int] {
            (3..<1024).filter { number in
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return path?.hasPrefix(folder.path) == true && path?.hasSuffix("-outbox-worker") == true
            }
        }
    }
#endif
