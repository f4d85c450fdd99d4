/*
 * The memory of an x86 processor. The model that includes this file defines PROCESSORS and ADDRESSES.
 *
 * A store is first written to the processor's own store buffer, and from there to memory at any later time. The processor itself
 * sees the store at once. Read-modify-write steps and sequentially consistent stores empty the buffer first. Spin's own variables
 * are sequentially consistent, so without the buffers no model could find a missing fence.
 *
 * A process that uses the memory has the variables `me`, the number of its processor, and `i`.
 */
byte memory[ADDRESSES];

#define DEPTH 3
typedef Buffer {
    byte count;
    byte address[DEPTH];
    byte value[DEPTH]
}
Buffer buffers[PROCESSORS];
#ifdef COUNTS_STORES
byte written[PROCESSORS];                 /* how many stores of each processor have reached memory */
#define NOTE_WRITTEN(p) written[p]++
#else
#define NOTE_WRITTEN(p) skip
#endif

/* A load with any ordering. */
inline load(address_, result_) {
    d_step {
        result_ = memory[address_];
        i = 0;
        do
        :: i < buffers[me].count ->
            if
            :: buffers[me].address[i] == address_ -> result_ = buffers[me].value[i]
            :: else
            fi;
            i++
        :: else -> break
        od;
        i = 0
    }
}

/* A relaxed or releasing store. */
inline store(address_, value_) {
    atomic {
        buffers[me].count < DEPTH ->
        buffers[me].address[buffers[me].count] = address_;
        buffers[me].value[buffers[me].count] = value_;
        buffers[me].count++
    }
}

/* Sequentially consistent stores and read-modify-write steps wait for this. */
#define IS_FLUSHED (buffers[me].count == 0)

inline storeSequentially(address_, value_) {
    atomic { IS_FLUSHED -> memory[address_] = value_ }
}

inline compareExchange(address_, expected_, desired_, exchanged_) {
    atomic {
        IS_FLUSHED ->
        exchanged_ = (memory[address_] == expected_);
        memory[address_] = (exchanged_ -> desired_ : memory[address_])
    }
}

#define FLUSH(p) \
    d_step { \
        buffers[p].count > 0 -> \
        memory[buffers[p].address[0]] = buffers[p].value[0]; \
        buffers[p].address[0] = buffers[p].address[1]; \
        buffers[p].value[0] = buffers[p].value[1]; \
        buffers[p].address[1] = buffers[p].address[2]; \
        buffers[p].value[1] = buffers[p].value[2]; \
        buffers[p].address[2] = 0; \
        buffers[p].value[2] = 0; \
        buffers[p].count--; \
        NOTE_WRITTEN(p) \
    }

/* Writes the contents of the store buffers to memory, each buffer in its order. */
active proctype Memory() {
end:
    do
    :: FLUSH(0)
#if PROCESSORS > 1
    :: FLUSH(1)
#endif
#if PROCESSORS > 2
    :: FLUSH(2)
#endif
#if PROCESSORS > 3
    :: FLUSH(3)
#endif
#if PROCESSORS > 4
    :: FLUSH(4)
#endif
    od
}
