#pragma once
int *__error(void);
#define errno (*__error())
