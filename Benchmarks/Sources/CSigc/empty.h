// Empty: CxxSignals includes the library's own headers, where there are any.
