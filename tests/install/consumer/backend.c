/* The smallest thing that builds as a backend outside the tree. */
#include <keel/backend.h>

static keel_status consumer_open(const keel_host *host, void **out_state, keel_error *err)
{
    (void)host;
    *out_state = NULL;
    return keel_fail(err, KEEL_ERR_UNAVAILABLE, "no such hardware exists");
}

static const keel_backend consumer_backend = {
    .struct_size = sizeof consumer_backend,
    .abi_major = KEEL_ABI_MAJOR,
    .abi_minor = KEEL_ABI_MINOR,
    .name = "consumer",
    .open = consumer_open,
};

const keel_backend *keel_backend_entry(uint32_t host_abi)
{
    return host_abi >> 16 == KEEL_ABI_MAJOR ? &consumer_backend : NULL;
}
