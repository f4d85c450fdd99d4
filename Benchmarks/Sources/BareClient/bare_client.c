#include "bare_client.h"

#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bare_client {
    natsConnection *publisher;
    natsConnection *subscriber;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    atomic_int received;
    int expected;
    // The answer in a round trip.
    natsMsg *answer;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static natsStatus connect_one(
    natsConnection **connection, const char *url, const char *authorities, bool send_at_once
) {
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);
    if (status == NATS_OK) status = natsOptions_SetURL(options, url);
    if (status == NATS_OK) status = natsOptions_SetSendAsap(options, send_at_once);
    if (status == NATS_OK && authorities != NULL) status = natsOptions_SetSecure(options, true);
    if (status == NATS_OK && authorities != NULL) status = natsOptions_LoadCATrustedCertificates(options, authorities);
    if (status == NATS_OK) status = natsConnection_Connect(connection, options);
    natsOptions_Destroy(options);
    return status;
}

bare_client *bare_connect(const char *url, const char *authorities, bool send_at_once) {
    bare_client *client = calloc(1, sizeof(bare_client));
    pthread_mutex_init(&client->mutex, NULL);
    pthread_cond_init(&client->changed, NULL);
    if (connect_one(&client->publisher, url, authorities, send_at_once) == NATS_OK
        && connect_one(&client->subscriber, url, authorities, send_at_once) == NATS_OK)
        return client;
    bare_close(client);
    return NULL;
}

void bare_close(bare_client *client) {
    natsConnection_Destroy(client->publisher);
    natsConnection_Destroy(client->subscriber);
    pthread_cond_destroy(&client->changed);
    pthread_mutex_destroy(&client->mutex);
    free(client);
}

static natsMsg *make(const bare_message *message) {
    natsMsg *made = NULL;
    if (natsMsg_Create(&made, message->subject, NULL, message->body, message->size) != NATS_OK) return NULL;
    natsMsgHeader_Set(made, "content-type", message->content_type);
    return made;
}

static void note(bare_client *client) {
    if (atomic_fetch_add(&client->received, 1) + 1 < client->expected) return;
    pthread_mutex_lock(&client->mutex);
    pthread_cond_broadcast(&client->changed);
    pthread_mutex_unlock(&client->mutex);
}

static void wait_for_all(bare_client *client) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 20;
    pthread_mutex_lock(&client->mutex);
    while (atomic_load(&client->received) < client->expected)
        if (pthread_cond_timedwait(&client->changed, &client->mutex, &end) != 0) break;
    pthread_mutex_unlock(&client->mutex);
}

static void receive(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *client) {
    natsMsg_Destroy(message);
    note(client);
}

static void expect(bare_client *client, int count) {
    atomic_store(&client->received, 0);
    client->expected = count;
}

static natsSubscription *subscribe(
    natsConnection *connection, const char *subject, natsMsgHandler handler, bare_client *client
) {
    natsSubscription *subscription = NULL;
    if (natsConnection_Subscribe(&subscription, connection, subject, handler, client) != NATS_OK) return NULL;
    natsSubscription_SetPendingLimits(subscription, -1, -1);
    natsConnection_Flush(connection);
    return subscription;
}

int bare_transient(bare_client *client, const bare_message *message, int count) {
    expect(client, count);
    natsSubscription *subscription = subscribe(client->subscriber, message->subject, receive, client);
    for (int index = 0; index < count; index++) {
        natsMsg *made = make(message);
        natsConnection_PublishMsg(client->publisher, made);
        natsMsg_Destroy(made);
    }
    wait_for_all(client);
    natsSubscription_Destroy(subscription);
    return atomic_load(&client->received);
}

int bare_durable_publish(bare_client *client, const bare_message *message, int count) {
    static atomic_uint last = 0;
    jsCtx *stream = NULL;
    if (natsConnection_JetStream(&stream, client->publisher, NULL) != NATS_OK) return 0;
    jsPubOptions options;
    jsPubOptions_Init(&options);
    char identity[48];
    int stored = 0;
    for (int index = 0; index < count; index++) {
        snprintf(identity, sizeof(identity), "bare-%lld-%u", (long long)now(), atomic_fetch_add(&last, 1));
        options.MsgId = identity;
        natsMsg *made = make(message);
        if (js_PublishMsgAsync(stream, &made, &options) == NATS_OK) stored++;
        natsMsg_Destroy(made);
    }
    options.MsgId = NULL;
    options.MaxWait = 20000;
    if (js_PublishAsyncComplete(stream, &options) != NATS_OK) stored = 0;
    natsMsgList pending;
    if (js_PublishAsyncGetPendingList(&pending, stream) == NATS_OK) {
        stored -= pending.Count;
        natsMsgList_Destroy(&pending);
    }
    jsCtx_Destroy(stream);
    return stored;
}

int bare_durable_consume(
    bare_client *client, const char *stream, const char *subject, int batch, int count, double *nanoseconds
) {
    jsCtx *context = NULL;
    if (natsConnection_JetStream(&context, client->subscriber, NULL) != NATS_OK) return 0;
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Stream = stream;
    options.Config.AckPolicy = js_AckExplicit;
    options.Config.MaxAckPending = batch;
    natsSubscription *subscription = NULL;
    int received = 0;
    double began = 0, ended = 0;
    if (js_PullSubscribe(&subscription, context, subject, NULL, NULL, &options, NULL) == NATS_OK) {
        began = now();
        while (received < count) {
            natsMsgList list;
            int asked = count - received < batch ? count - received : batch;
            if (natsSubscription_Fetch(&list, subscription, asked, 5000, NULL) != NATS_OK) break;
            
            for (int index = 0; index < list.Count; index++) {
                natsMsg_Ack(list.Msgs[index], NULL);
                received++;
            }
            natsMsgList_Destroy(&list);
        }
        ended = now();
        natsSubscription_Unsubscribe(subscription);
        natsSubscription_Destroy(subscription);
    }
    jsCtx_Destroy(context);
    *nanoseconds = ended - began;
    return received;
}

static void answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    bare_client *client = closure;
    natsMsg_Destroy(message);
    natsConnection_PublishMsg(client->subscriber, client->answer);
}

int bare_round_trips(bare_client *client, const bare_message *there, const bare_message *back, int count) {
    natsMsg *message = make(there);
    client->answer = make(back);
    natsSubscription *far = subscribe(client->subscriber, there->subject, answer, client);
    natsSubscription *near = subscribe(client->publisher, back->subject, receive, client);
    expect(client, 1);
    int returned = 0;
    for (; returned < count; returned++) {
        expect(client, 1);
        natsConnection_PublishMsg(client->publisher, message);
        wait_for_all(client);
        if (atomic_load(&client->received) < 1) break;
    }
    natsSubscription_Destroy(near);
    natsSubscription_Destroy(far);
    natsMsg_Destroy(message);
    natsMsg_Destroy(client->answer);
    client->answer = NULL;
    return returned;
}
