/* Everything an application needs. Op authors add op.h, backend authors backend.h. */
#ifndef KEEL_KEEL_H
#define KEEL_KEEL_H

#include "keel/attribute.h"
#include "keel/base.h"
#include "keel/buffer.h"
#include "keel/context.h"
#include "keel/device.h"
#include "keel/dtype.h"
#include "keel/host_memory.h"
#include "keel/kernel.h"
#include "keel/load_report.h"
#include "keel/ops.h"
#include "keel/plan.h"
#include "keel/queue.h"
#include "keel/registry.h"
#include "keel/status.h"
#include "keel/tensor.h"

#endif
