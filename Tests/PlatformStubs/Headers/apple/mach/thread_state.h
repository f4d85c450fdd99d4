#pragma once
#include <mach/mach.h>
kern_return_t thread_get_register_pointer_values(thread_act_t thread, uintptr_t *stack, size_t *count, uintptr_t *values);
