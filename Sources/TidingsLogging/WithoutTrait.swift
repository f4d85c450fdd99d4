#if !Logging
    /// Says what is missing.
    @available(*, unavailable, message: "enable the trait 'Logging' of the package 'tidings' to use this")
    public enum LoggingMonitor {}
#endif
