// The engine has no public symbols. The re-export makes its package symbols, such as the lock, visible to the package's other
// modules, and to the code that clients inline. It belongs to no feature, so it has a file of its own.
@_exported public import TidingsEngine
