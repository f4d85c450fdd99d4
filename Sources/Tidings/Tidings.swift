// Re-exports the engine's package symbols, such as the lock, to the other modules. The engine has no public symbols.
@_exported public import TidingsEngine
