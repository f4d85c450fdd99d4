#if !Metrics
    /// Says what is missing.
    @available(*, unavailable, message: "enable the trait 'Metrics' of the package 'tidings' to use this")
    public enum MetricsMonitor {}
#endif
