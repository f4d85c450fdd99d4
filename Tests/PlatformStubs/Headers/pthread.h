// The part of POSIX threads that CTidingsSystem uses.
#pragma once
typedef unsigned int pthread_key_t;
int pthread_key_create(pthread_key_t *key, void (*ended)(void *value));
int pthread_setspecific(pthread_key_t key, const void *value);
