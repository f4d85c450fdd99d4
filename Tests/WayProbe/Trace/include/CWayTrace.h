#ifndef CWAYTRACE_H
#define CWAYTRACE_H

/// Begins to note which functions are entered, on all threads.
void way_begin(void);

/// How many were noted.
long way_count(void);

/// Ends, and prints for each function that was entered, in order, its place in the program's file, and those of its callers.
void way_end(void);

#endif
