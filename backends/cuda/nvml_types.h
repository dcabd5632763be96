/*
 * The types in nvml_symbols.inc, without any header of the vendor's: handles are pointers, enums
 * are int. Both are passed as the vendor's own types are.
 */
#ifndef NVML_TYPES_H
#define NVML_TYPES_H

typedef int nvml_result; /* nvmlReturn_t */
typedef int nvml_clock;
typedef int nvml_sensor;
typedef int nvml_error_kind;
typedef int nvml_error_span;
typedef int nvml_link_counter;
typedef int nvml_enabled;
typedef void *nvml_device;

/* A value that is asked for by number: nvmlFieldValue_t. */
typedef struct nvml_field {
    unsigned field;
    unsigned scope;
    long long timestamp;
    long long latency;
    int type;
    int result; /* of this field */
    union {
        unsigned word;
        unsigned long long wide; /* the widest */
    } value;
} nvml_field;

#endif
