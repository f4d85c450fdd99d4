// The package's own tests also use `Gate`, which the conformance suite declares.
@_exported public import TidingsConformance
