/*
 * Which devices the OpenCL plugin lists and what it says of them, on platforms made up by the test:
 * no OpenCL is needed. The program's only argument is the plugin's file.
 */
#include <stdio.h>

#include "cl_symbols.h"
#include "keel_test.h"
#include "plugin_host.h"

#define MAX_PLATFORMS 50
#define MAX_DEVICES 30

/* A made-up device; zero members are properties that its driver does not know. */
typedef struct fake_device {
    cl_device_type type;
    const char *name;
    const char *version;
    const char *extensions;
    const char *board;
    cl_bool unavailable, no_compiler, big_endian, unified;
    cl_device_fp_config double_config;
    cl_uint nv_bus, nv_slot, nv_domain, nv_major, nv_minor, nv_warp;
    cl_uint amd_wavefront;
    size_t multiple;
    cl_device_topology_amd topology;
    cl_device_pci_bus_info_khr pci;
    unsigned char uuid[CL_UUID_SIZE_KHR];
} fake_device;

typedef struct fake_platform {
    const char *name;
    const fake_device *devices;
    cl_uint count;
    cl_int failure;      /* of clGetDeviceIDs */
    cl_int late_failure; /* of its second call, which fetches */
} fake_platform;

/* Handles are addresses in these; set by each test. */
static const fake_platform *platforms;
static cl_uint platform_count;
static const char *file;

static cl_int answer(const void *value, size_t bytes, size_t capacity, void *out, size_t *out_bytes)
{
    if (out_bytes != NULL) {
        *out_bytes = bytes;
    }
    if (out != NULL && capacity < bytes) {
        return CL_INVALID_VALUE;
    }
    if (out != NULL) {
        memcpy(out, value, bytes);
    }
    return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t capacity, void *out, size_t *out_bytes)
{
    return text == NULL ? CL_INVALID_VALUE
                        : answer(text, strlen(text) + 1, capacity, out, out_bytes);
}

static cl_int CL_API_CALL get_platform_ids(cl_uint capacity, cl_platform_id *out, cl_uint *count)
{
    for (cl_uint i = 0; out != NULL && i < capacity && i < platform_count; i++) {
        out[i] = (cl_platform_id)(uintptr_t)&platforms[i];
    }
    if (count != NULL) {
        *count = platform_count;
    }
    return platform_count == 0 ? CL_PLATFORM_NOT_FOUND_KHR : CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id id, cl_platform_info key,
                                            size_t capacity, void *out, size_t *bytes)
{
    const fake_platform *platform = (const fake_platform *)id;
    return answer_text(key == CL_PLATFORM_NAME ? platform->name : "OpenCL 3.0 made up", capacity,
                       out, bytes);
}

static cl_int CL_API_CALL get_device_ids(cl_platform_id id, cl_device_type type, cl_uint capacity,
                                         cl_device_id *out, cl_uint *count)
{
    const fake_platform *platform = (const fake_platform *)id;
    assert_int_equal(type, CL_DEVICE_TYPE_ALL);
    if (platform->failure != CL_SUCCESS) {
        return platform->failure;
    }
    if (out != NULL && platform->late_failure != CL_SUCCESS) {
        return platform->late_failure;
    }
    for (cl_uint i = 0; out != NULL && i < capacity && i < platform->count; i++) {
        out[i] = (cl_device_id)(uintptr_t)&platform->devices[i];
    }
    if (count != NULL) {
        *count = platform->count;
    }
    return CL_SUCCESS;
}

static cl_int answer_uint(cl_uint value, size_t capacity, void *out, size_t *bytes)
{
    return answer(&value, sizeof value, capacity, out, bytes);
}

static cl_int answer_ulong(cl_ulong value, size_t capacity, void *out, size_t *bytes)
{
    return answer(&value, sizeof value, capacity, out, bytes);
}

/* The properties that are not plain members of fake_device in a row. */
static cl_int get_vendor_info(const fake_device *device, cl_device_info key, size_t capacity,
                              void *out, size_t *bytes)
{
    switch (key) {
    case CL_DEVICE_UUID_KHR:
        return answer(device->uuid, sizeof device->uuid, capacity, out, bytes);
    case CL_DEVICE_PCI_BUS_INFO_KHR:
        return answer(&device->pci, sizeof device->pci, capacity, out, bytes);
    case CL_DEVICE_TOPOLOGY_AMD:
        return answer(&device->topology, sizeof device->topology, capacity, out, bytes);
    case CL_DEVICE_BOARD_NAME_AMD:
        return answer_text(device->board, capacity, out, bytes);
    case CL_DEVICE_WAVEFRONT_WIDTH_AMD:
        return answer_uint(device->amd_wavefront, capacity, out, bytes);
    case CL_DEVICE_WARP_SIZE_NV:
        return answer_uint(device->nv_warp, capacity, out, bytes);
    case CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV:
        return answer_uint(device->nv_major, capacity, out, bytes);
    case CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV:
        return answer_uint(device->nv_minor, capacity, out, bytes);
    case 0x4008: /* PCI bus, slot and domain of NVIDIA's extension */
        return answer_uint(device->nv_bus, capacity, out, bytes);
    case 0x4009:
        return answer_uint(device->nv_slot, capacity, out, bytes);
    case 0x400A:
        return answer_uint(device->nv_domain, capacity, out, bytes);
    case 0x1067: /* preferred work-group size multiple, OpenCL 3.0 */
        return device->multiple == 0
                   ? CL_INVALID_VALUE
                   : answer(&device->multiple, sizeof device->multiple, capacity, out, bytes);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL get_device_info(cl_device_id id, cl_device_info key, size_t capacity,
                                          void *out, size_t *bytes)
{
    const fake_device *device = (const fake_device *)id;
    const size_t along[3] = {512, 512, 64};
    const size_t group = 1024;
    switch (key) {
    case CL_DEVICE_TYPE:
        return answer_ulong(device->type, capacity, out, bytes);
    case CL_DEVICE_NAME:
        return answer_text(device->name, capacity, out, bytes);
    case CL_DEVICE_VERSION:
        return answer_text(device->version, capacity, out, bytes);
    case CL_DEVICE_EXTENSIONS:
        return answer_text(device->extensions, capacity, out, bytes);
    case CL_DEVICE_AVAILABLE:
        return answer_uint(!device->unavailable, capacity, out, bytes);
    case CL_DEVICE_COMPILER_AVAILABLE:
        return answer_uint(!device->no_compiler, capacity, out, bytes);
    case CL_DEVICE_ENDIAN_LITTLE:
        return answer_uint(!device->big_endian, capacity, out, bytes);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return answer_uint(device->unified, capacity, out, bytes);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return answer_ulong(device->double_config, capacity, out, bytes);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer(&group, sizeof group, capacity, out, bytes);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return answer(along, sizeof along, capacity, out, bytes);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        return answer_uint(2048, capacity, out, bytes);
    default:
        return get_vendor_info(device, key, capacity, out, bytes);
    }
}

/* Just enough of an object to read the limits of an open device. */
static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *ids,
                                             void(CL_CALLBACK *notify)(const char *, const void *,
                                                                       size_t, void *),
                                             void *user, cl_int *out_code)
{
    (void)properties;
    (void)count;
    (void)ids;
    (void)notify;
    *out_code = CL_SUCCESS;
    return user;
}

static cl_int CL_API_CALL release_context(cl_context context)
{
    (void)context;
    return CL_SUCCESS;
}

static const plugin_override overrides[] = {
    {"clGetPlatformIDs", (void *)(uintptr_t)get_platform_ids},
    {"clGetPlatformInfo", (void *)(uintptr_t)get_platform_info},
    {"clGetDeviceIDs", (void *)(uintptr_t)get_device_ids},
    {"clGetDeviceInfo", (void *)(uintptr_t)get_device_info},
    {"clCreateContext", (void *)(uintptr_t)create_context},
    {"clReleaseContext", (void *)(uintptr_t)release_context},
    {NULL, NULL},
};

/* ---- the tests --------------------------------------------------------------------------------
 */

typedef struct listing {
    plugin_host host;
    const keel_backend *backend;
    void *state;
    uint32_t count;
} listing;

static keel_status list(listing *out, const fake_platform *fakes, cl_uint count, keel_error *err)
{
    memset(out, 0, sizeof *out);
    plugin_host_init(&out->host);
    out->host.fake_library = 1;
    out->host.overrides = overrides;
    platforms = fakes;
    platform_count = count;
    out->backend = plugin_table(file, KEEL_ABI_VERSION);
    assert_non_null(out->backend);
    KEEL_TRY(out->backend->open(&out->host.table, &out->state, err));
    return out->backend->device_count(out->state, &out->count, err);
}

/* Lists one platform with one device. */
static void list_one(listing *out, const char *platform, const fake_device *device,
                     keel_device_info *info, keel_limits *limits)
{
    const fake_platform fake = {.name = platform, .devices = device, .count = 1};
    keel_error err = KEEL_ERROR_INIT;
    void *opened = NULL;
    info->struct_size = sizeof *info;
    limits->struct_size = sizeof *limits;
    assert_ok(&err, list(out, &fake, 1, &err));
    assert_int_equal(out->count, 1);
    assert_ok(&err, out->backend->device_info(out->state, 0, info, &err));
    assert_ok(&err, out->backend->device_open(out->state, 0, &opened, &err));
    assert_ok(&err, out->backend->device_api->limits(opened, limits, &err));
    out->backend->device_api->close(opened);
    out->backend->shutdown(out->state);
    assert_int_equal(atomic_load(&out->host.live), 0);
}

#define PLAIN .type = CL_DEVICE_TYPE_GPU, .name = "plain", .version = "OpenCL 1.2 x"

static void every_device_of_every_platform_is_listed(void **state)
{
    static fake_device devices[MAX_DEVICES];
    static fake_platform many[MAX_PLATFORMS];
    listing l;
    keel_error err = KEEL_ERROR_INIT;
    (void)state;
    for (int i = 0; i < MAX_DEVICES; i++) {
        devices[i] = (fake_device){PLAIN};
    }
    for (int i = 0; i < MAX_PLATFORMS; i++) {
        many[i] = (fake_platform){.name = "p", .devices = devices, .count = MAX_DEVICES};
    }
    assert_ok(&err, list(&l, many, MAX_PLATFORMS, &err));
    assert_int_equal(l.count, MAX_PLATFORMS * MAX_DEVICES);
    l.backend->shutdown(l.state);
    assert_int_equal(atomic_load(&l.host.live), 0);
}

static void a_platform_that_fails_hides_no_other(void **state)
{
    static const fake_device device = {PLAIN};
    const fake_platform four[] = {
        {.name = "empty", .failure = CL_DEVICE_NOT_FOUND},
        {.name = "broken", .failure = CL_OUT_OF_HOST_MEMORY},
        {.name = "moody", .devices = &device, .count = 1, .late_failure = CL_INVALID_PLATFORM},
        {.name = "good", .devices = &device, .count = 1},
    };
    listing l;
    keel_error err = KEEL_ERROR_INIT;
    (void)state;
    assert_ok(&err, list(&l, four, 4, &err));
    assert_int_equal(l.count, 1);
    assert_int_equal(atomic_load(&l.host.log_lines), 3);
    assert_non_null(strstr(l.host.last_log, "moody"));
    assert_non_null(strstr(l.host.last_log, "CL_INVALID_PLATFORM"));
    l.backend->shutdown(l.state);
    assert_int_equal(atomic_load(&l.host.live), 0);
}

static void devices_that_cannot_be_used_are_left_out(void **state)
{
    static const fake_device devices[] = {
        {.type = CL_DEVICE_TYPE_GPU, .name = "old", .version = "OpenCL 1.1 x"},
        {.type = CL_DEVICE_TYPE_GPU, .name = "odd", .version = "x"},
        {PLAIN, .unavailable = 1},
        {PLAIN, .no_compiler = 1},
        {PLAIN, .big_endian = 1},
        {.type = CL_DEVICE_TYPE_GPU, .name = "new", .version = "OpenCL 3.0 x"},
    };
    const fake_platform fake = {.name = "p", .devices = devices, .count = 6};
    listing l;
    keel_error err = KEEL_ERROR_INIT;
    keel_device_info info = {.struct_size = sizeof info};
    (void)state;
    assert_ok(&err, list(&l, &fake, 1, &err));
    assert_int_equal(l.count, 1);
    assert_int_equal(atomic_load(&l.host.log_lines), 5);
    assert_ok(&err, l.backend->device_info(l.state, 0, &info, &err));
    assert_string_equal(info.name, "new");
    l.backend->shutdown(l.state);
}

/* KB-R034, as reported of another system: https://github.com/fahbench/fahbench/pull/97 */
static void no_driver_and_no_device_are_unavailable(void **state)
{
    const fake_platform empty = {.name = "empty", .failure = CL_DEVICE_NOT_FOUND};
    listing l;
    keel_error err = KEEL_ERROR_INIT;
    keel_error err2 = KEEL_ERROR_INIT;
    (void)state;
    assert_status(&err, list(&l, NULL, 0, &err), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err, "no driver is registered");
    assert_int_equal(atomic_load(&l.host.live), 0);
    assert_status(&err2, list(&l, &empty, 1, &err2), KEEL_ERR_UNAVAILABLE);
    assert_mentions(&err2, "1 OpenCL platform");
    assert_int_equal(atomic_load(&l.host.live), 0);
}

static void several_type_bits_mean_gpu(void **state)
{
    static const struct {
        cl_device_type type;
        int32_t kind;
    } rows[] = {
        {CL_DEVICE_TYPE_CPU, KEEL_KIND_CPU},
        {CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT, KEEL_KIND_CPU},
        {CL_DEVICE_TYPE_GPU, KEEL_KIND_GPU},
        {CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU, KEEL_KIND_GPU},
        {CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR, KEEL_KIND_GPU},
        {CL_DEVICE_TYPE_ACCELERATOR, KEEL_KIND_GPU},
    };
    listing l;
    (void)state;
    for (size_t i = 0; i < KEEL_COUNT(rows); i++) {
        const fake_device device = {.type = rows[i].type, .name = "d", .version = "OpenCL 1.2 x"};
        keel_device_info info;
        keel_limits limits;
        list_one(&l, "p", &device, &info, &limits);
        assert_int_equal(info.kind, rows[i].kind);
        assert_int_equal(limits.kind, rows[i].kind);
    }
}

static void an_nvidia_device_is_placed_by_its_extension(void **state)
{
    static const fake_device device = {
        PLAIN,
        .extensions = "cl_khr_fp64 cl_nv_device_attribute_query cl_khr_device_uuid",
        .nv_domain = 2,
        .nv_bus = 0x41,
        .nv_slot = 3 << 3 | 1,
        .nv_major = 9,
        .nv_minor = 0,
        .nv_warp = 32,
        .uuid = {0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
    listing l;
    keel_device_info info;
    keel_limits limits;
    (void)state;
    list_one(&l, "p", &device, &info, &limits);
    assert_string_equal(info.pci, "0002:41:03.1");
    assert_string_equal(info.arch, "sm_90");
    assert_string_equal(info.uuid, "deadbeef-0102-0304-0506-0708090a0b0c");
    assert_int_equal(limits.wave, 32);
    assert_true(limits.flags & KEEL_LIMIT_FP64);
}

static void an_amd_device_is_named_by_its_board(void **state)
{
    static const fake_device device = {
        .type = CL_DEVICE_TYPE_GPU,
        .version = "OpenCL 2.1 x",
        .name = "gfx942:sramecc+:xnack-",
        .board = "AMD Instinct MI300X ",
        .extensions = "cl_amd_device_attribute_query",
        .amd_wavefront = 64,
        .topology = {.pcie = {.type = CL_DEVICE_TOPOLOGY_TYPE_PCIE_AMD,
                              .bus = (cl_char)0xc1,
                              .device = 0,
                              .function = 0}}};
    listing l;
    keel_device_info info;
    keel_limits limits;
    (void)state;
    list_one(&l, "p", &device, &info, &limits);
    assert_string_equal(info.name, "AMD Instinct MI300X");
    assert_string_equal(info.arch, "gfx942");
    assert_string_equal(info.pci, "0000:c1:00.0");
    assert_string_equal(info.uuid, "");
    assert_int_equal(limits.wave, 64);
}

static void the_common_extension_for_pci_comes_first(void **state)
{
    static const fake_device device = {
        PLAIN, .extensions = "cl_nv_device_attribute_query cl_khr_pci_bus_info", .nv_bus = 9,
        .pci = {.pci_domain = 1, .pci_bus = 2, .pci_device = 31, .pci_function = 7},
        .multiple = 16};
    listing l;
    keel_device_info info;
    keel_limits limits;
    (void)state;
    list_one(&l, "p", &device, &info, &limits);
    assert_string_equal(info.pci, "0001:02:1f.7");
}

static void what_no_extension_gives_stays_unknown(void **state)
{
    static const fake_device device = {PLAIN, .extensions = "cl_khr_fp64x xcl_khr_device_uuid",
                                       .uuid = {1}, .multiple = 16};
    listing l;
    keel_device_info info;
    keel_limits limits;
    (void)state;
    list_one(&l, "p", &device, &info, &limits);
    assert_string_equal(info.uuid, "");
    assert_string_equal(info.pci, "");
    assert_string_equal(info.arch, "");
    assert_int_equal(info.flags, 0);
    assert_int_equal(limits.flags, 0);
    assert_int_equal(limits.wave, 16);       /* the preferred multiple */
    assert_int_equal(limits.max_group, 512); /* the limit along x */
    assert_int_equal(limits.base_align, 256);
}

static void flags_follow_memory_and_platform(void **state)
{
    static const fake_device shared = {PLAIN, .unified = 1, .double_config = CL_FP_FMA};
    static const fake_device plain = {PLAIN};
    listing l;
    keel_device_info info;
    keel_limits limits;
    (void)state;
    list_one(&l, "p", &shared, &info, &limits);
    assert_int_equal(info.flags, KEEL_DEVICE_INTEGRATED);
    assert_int_equal(limits.flags, KEEL_LIMIT_FP64);
    list_one(&l, "Portable Computing Language", &plain, &info, &limits);
    assert_int_equal(info.flags, KEEL_DEVICE_NATIVE_CACHE);
    list_one(&l, "Oclgrind", &plain, &info, &limits);
    assert_int_equal(info.flags, KEEL_DEVICE_SIMULATED);
}

static void a_long_name_is_cut_and_blanks_are_dropped(void **state)
{
    char name[400];
    keel_device_info info;
    keel_limits limits;
    listing l;
    (void)state;
    memset(name, 'n', sizeof name);
    name[0] = ' ';
    name[sizeof name - 1] = 0;
    const fake_device longer = {.type = CL_DEVICE_TYPE_GPU, .version = "OpenCL 1.2", .name = name};
    list_one(&l, "p", &longer, &info, &limits);
    assert_int_equal(strlen(info.name), sizeof info.name - 1);
    assert_int_equal(info.name[0], 'n');
    const fake_device blank = {
        .type = CL_DEVICE_TYPE_GPU, .version = "OpenCL 1.2", .name = " a b "};
    list_one(&l, "p", &blank, &info, &limits);
    assert_string_equal(info.name, "a b");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_device_of_every_platform_is_listed),
        cmocka_unit_test(a_platform_that_fails_hides_no_other),
        cmocka_unit_test(devices_that_cannot_be_used_are_left_out),
        cmocka_unit_test(no_driver_and_no_device_are_unavailable),
        cmocka_unit_test(several_type_bits_mean_gpu),
        cmocka_unit_test(an_nvidia_device_is_placed_by_its_extension),
        cmocka_unit_test(an_amd_device_is_named_by_its_board),
        cmocka_unit_test(the_common_extension_for_pci_comes_first),
        cmocka_unit_test(what_no_extension_gives_stays_unknown),
        cmocka_unit_test(flags_follow_memory_and_platform),
        cmocka_unit_test(a_long_name_is_cut_and_blanks_are_dropped),
    };
    if (argc != 2) {
        print_error("usage: %s PLUGIN\n", argv[0]);
        return 2;
    }
    file = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
