#ifndef CLIBFUZZER_H
#define CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its command line, and calls `test` with each input. See "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nullable *_Nonnull *_Nonnull arguments,
                        int (*_Nonnull test)(const uint8_t *_Nullable bytes, size_t count));

#endif
