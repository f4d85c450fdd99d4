// The engine has no public symbols. The re-export makes its package symbols, such as the lock, visible to the package's
// other modules. It has a file of its own because it belongs to no folder.
@_exported public import TidingsEngine
