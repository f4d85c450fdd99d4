// The engine has no public symbols. The re-export makes its package symbols, such as the lock, visible to the package's other
// modules. The import belongs to no folder, so it has a file of its own.
@_exported public import TidingsEngine
