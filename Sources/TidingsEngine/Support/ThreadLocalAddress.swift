#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// An address of which every thread has its own; `nil` at first. It is for something on the stack of the thread.
@safe
package struct ThreadLocalAddress: Sendable {
    private let key: pthread_key_t

    /// Makes one. Its key is never given back, so it should be a static constant.
    package init() {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key, nil)
        precondition(status == 0, "the process has no thread-local keys left")
        self.key = key
    }

    /// The address of the calling thread.
    package var value: UnsafeMutableRawPointer? {
        get { unsafe pthread_getspecific(key) }
        nonmutating set { unsafe pthread_setspecific(key, newValue) }
    }
}
