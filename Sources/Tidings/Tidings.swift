// The engine has no public symbol: this makes its lock, and what the native center is made of, visible in the package's own
// modules.
@_exported public import TidingsEngine
