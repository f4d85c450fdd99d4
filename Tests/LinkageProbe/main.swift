import Tidings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

// Uses Tidings, and prints what the process has loaded.

struct Probed: TypedNotification {}

let center = NativeNotificationCenter()
let token = center.addObserver(for: Probed.self) { _ in }
print("called \(center.post(Probed()))")
token.cancel()

#if os(Linux)
    if let maps = unsafe fopen("/proc/self/maps", "r") {
        // A byte at a time, into a string that grows: no buffer to overrun.
        while case let byte = unsafe getc(maps), byte != EOF { putchar(byte) }
        unsafe fclose(maps)
    }
#endif
