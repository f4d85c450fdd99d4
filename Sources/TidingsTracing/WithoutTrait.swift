#if !Tracing
    /// Says what is missing.
    @available(*, unavailable, message: "enable the trait 'Tracing' of the package 'tidings' to use this")
    public enum TracingMonitor {}
#endif
