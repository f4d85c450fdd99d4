#ifndef BARE_CLIENT_H
#define BARE_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

/// Two connections of NATS's C client, as in a C program: one publishes, the other subscribes.
typedef struct bare_client bare_client;

typedef struct {
    const char *subject;
    const char *content_type;
    const void *body;
    int size;
} bare_message;

/// - Parameters:
///   - url: The server.
///   - authorities: The certificate of the authority that signed the server's; NULL for an unencrypted connection.
///   - send_at_once: Whether each message is written at once, for a short round trip, or together with later ones.
/// - Returns: The connections, or NULL if the server can't be reached.
bare_client *bare_connect(const char *url, const char *authorities, bool send_at_once);

void bare_close(bare_client *client);

/// Publishes a message the given number of times, and waits until all have arrived.
///
/// - Returns: The number of arrivals within twenty seconds.
int bare_transient(bare_client *client, const bare_message *message, int count);

/// Stores a message the given number of times, each with an identity, and waits until the stream has them.
///
/// - Returns: The number of messages that the stream has.
int bare_durable_publish(bare_client *client, const bare_message *message, int count);

/// Reads the given number of messages from a stream with a new consumer, and acknowledges each.
///
/// - Parameter nanoseconds: The time from the first request for messages to the last acknowledgment.
/// - Returns: The number of messages received.
int bare_durable_consume(
    bare_client *client, const char *stream, const char *subject, int batch, int count, double *nanoseconds);

/// Sends a message back and forth the given number of times.
///
/// - Returns: The number of times that it came back.
int bare_round_trips(bare_client *client, const bare_message *there, const bare_message *back, int count);

#endif
