// The package's own tests use the gate of the conformance suite, too.
@_exported public import TidingsConformance
