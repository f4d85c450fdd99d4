#pragma once
int *__errno(void);
#define errno (*__errno())
#define EPERM 1
