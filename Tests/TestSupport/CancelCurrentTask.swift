package func cancelCurrentTask() {
    // The task is only used inside the closure.
    unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
}
