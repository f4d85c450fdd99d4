#pragma once
long syscall(long number, ...);
