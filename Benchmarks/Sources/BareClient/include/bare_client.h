#ifndef BARE_CLIENT_H
#define BARE_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

/// Two connections of NATS's C client, as a program in C has them: one that publishes, one that subscribes.
typedef struct bare_client bare_client;

/// A message: where it goes to, the header that tells its form, and its bytes.
typedef struct {
    const char *subject;
    const char *content_type;
    const void *body;
    int size;
} bare_message;

/// Connects.
///
/// - Parameters:
///   - url: The server.
///   - authorities: The file with the certificate of who signed the server's; NULL if the connection is not encrypted.
///   - send_at_once: Whether each message is written at once, as for a short round trip, and not with those that follow.
/// - Returns: NULL if there is no server.
bare_client *bare_connect(const char *url, const char *authorities, bool send_at_once);

/// Ends both connections.
void bare_close(bare_client *client);

/// Publishes a message so many times, and waits until it has arrived as often.
///
/// - Returns: How often it has arrived within twenty seconds.
int bare_transient(bare_client *client, const bare_message *message, int count);

/// Stores a message so many times, each with an identity, and waits until the stream has them.
///
/// - Returns: How many the stream has.
int bare_durable_publish(bare_client *client, const bare_message *message, int count);

/// Reads so many messages of a stream, by a consumer of its own, and acknowledges each.
///
/// - Parameter nanoseconds: How long it took, from the first message to the last.
/// - Returns: How many came.
int bare_durable_consume(
    bare_client *client, const char *stream, const char *subject, int batch, int count, double *nanoseconds);

/// Sends a message back and forth so many times.
///
/// - Returns: How often it came back.
int bare_round_trips(bare_client *client, const bare_message *there, const bare_message *back, int count);

#endif
