// The part of Mach that CTidingsSystem uses.
#pragma once
#include <stddef.h>
#include <stdint.h>
typedef int kern_return_t;
typedef unsigned int mach_port_t, mach_msg_type_number_t;
typedef mach_port_t thread_act_t, *thread_act_array_t;
typedef uintptr_t vm_address_t;
#define KERN_SUCCESS 0
#define KERN_INVALID_ARGUMENT 4
#define KERN_TERMINATED 37
#define MACH_SEND_INVALID_DEST 0x10000003
mach_port_t mach_task_self(void);
mach_port_t mach_thread_self(void);
kern_return_t task_threads(mach_port_t task, thread_act_array_t *threads, mach_msg_type_number_t *count);
kern_return_t mach_port_deallocate(mach_port_t task, mach_port_t name);
kern_return_t vm_deallocate(mach_port_t task, vm_address_t address, size_t size);
