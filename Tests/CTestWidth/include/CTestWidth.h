// Whatever links this module runs at most four tests at a time for each processor. There is nothing to call.
