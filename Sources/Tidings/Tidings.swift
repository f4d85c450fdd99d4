// The engine has no public symbols. The re-export makes its package symbols, such as the lock, visible to the other
// modules of the package.
@_exported public import TidingsEngine
