// The C client of NATS, as it is installed on the machine.
#include <nats/nats.h>
