#pragma once
#define SYS_futex 98
#define SYS_membarrier 283
