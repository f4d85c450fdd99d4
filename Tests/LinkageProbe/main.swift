import Tidings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Uses Tidings, and prints which libraries the process has loaded.

struct Probed: TypedNotification {}

let center = NativeNotificationCenter()
let token = center.addObserver(for: Probed.self) { _ in }
print("called \(center.post(Probed()))")
token.cancel()

#if os(Linux)
    if let maps = unsafe fopen("/proc/self/maps", "r") {
        // Reads one byte at a time, so no buffer can overflow.
        while case let byte = unsafe getc(maps), byte != EOF { putchar(byte) }
        unsafe fclose(maps)
    }
#endif
