#if NATS
    import TidingsNATS
#endif
