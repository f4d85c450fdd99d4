// A test bundle that links this module runs at most four tests at a time for each processor. The module has no functions.
