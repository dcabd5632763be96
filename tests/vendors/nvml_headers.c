/*
 * The lists of NVML functions and numbers beside NVIDIA's own header: every signature and number is
 * the real one, and every type of ours is passed as what it stands for. Only compiled.
 */
#include <nvml.h>
#include <stddef.h>

#include "nvml_types.h"
#include "passed.h"

#define SAME_PLACE(ours, theirs)                                                                   \
    _Static_assert(offsetof(nvml_field, ours) == offsetof(nvmlFieldValue_t, theirs) &&             \
                       sizeof(((nvml_field *)0)->ours) == sizeof(((nvmlFieldValue_t *)0)->theirs), \
                   "nvml_field." #ours " is not nvmlFieldValue_t." #theirs)
SAME_PLACE(field, fieldId);
SAME_PLACE(scope, scopeId);
SAME_PLACE(type, valueType);
SAME_PLACE(result, nvmlReturn);
SAME_PLACE(value, value);
SAME_PLACE(value.word, value.uiVal);
SAME_PLACE(value.wide, value.ullVal);
_Static_assert(sizeof(nvml_field) == sizeof(nvmlFieldValue_t), "nvml_field has another size");
_Static_assert(sizeof(unsigned long) == sizeof(unsigned long long), "NVML_TYPE_LONG is not wide");

#define NVML_SYMBOL(need, slot, result, name, parameters) \
    PASSED_SAME(name, __typeof__(&name), result(*) parameters);

void nvml_list(void);
void nvml_list(void)
{
    PASSED_TYPE(nvml_result, nvmlReturn_t);
    PASSED_TYPE(nvml_clock, nvmlClockType_t);
    PASSED_TYPE(nvml_sensor, nvmlTemperatureSensors_t);
    PASSED_TYPE(nvml_error_kind, nvmlMemoryErrorType_t);
    PASSED_TYPE(nvml_error_span, nvmlEccCounterType_t);
    PASSED_TYPE(nvml_link_counter, nvmlNvLinkErrorCounter_t);
    PASSED_TYPE(nvml_enabled, nvmlEnableState_t);
    PASSED_TYPE(nvml_device, nvmlDevice_t);
    typedef nvmlFieldValue_t nvml_field; /* by address only; compared above */

#include "nvml_symbols_here.inc"
}

#define NVML_NUMBER(name, value, real) \
    enum { name = value };             \
    PASSED_NUMBER(name, real);
#define NVML_REASON(value, throttle, real) PASSED_NUMBER(value, real);
#include "nvml_numbers.inc"
