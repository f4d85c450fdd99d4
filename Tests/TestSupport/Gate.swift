// The gate of the conformance suite serves the package's own tests as well.
@_exported public import TidingsConformance
