package func cancelCurrentTask() {
    // `task` is valid only inside the closure, and isn't stored.
    unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
}
