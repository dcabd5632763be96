"""Keel's public C API by ctypes: the op contracts, their oracles and the element types.

Mirrors structs of keel/op.h, keel/context.h and keel/status.h; uses nothing that an application
could not use.
"""
import ctypes
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_int64
from ctypes import c_uint32, c_uint64, c_void_p

import numpy as np

MAX_RANK = 8
MAX_OPERANDS = 16
OP_VARIADIC = 8
RULE_BITS, RULE_ROUNDED, RULE_BOUND = 1, 2, 3
ATTR_INT, ATTR_FLOAT, ATTR_INTS, ATTR_BYTES = 1, 2, 3, 4

# keel_truth
TRUTH = np.dtype([("hi", "f8"), ("lo", "f8"), ("bits", "i8"), ("hard", "f8"), ("tight", "f8"),
                  ("scale", "f8"), ("rule", "i4"), ("pad", "i4")])


class Error(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("status", c_int32), ("vendor_code", c_int32),
                ("vendor_name", c_char * 48), ("device", c_char * 64), ("op", c_char * 64),
                ("message", c_char * 512)]


class Allocator(ctypes.Structure):
    _fields_ = [("user", c_void_p), ("alloc", c_void_p), ("free", c_void_p)]


class ContextOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_uint32), ("log_level", c_int32), ("log", c_void_p),
                ("log_user", c_void_p), ("allocator", Allocator), ("backends", c_char_p),
                ("cache_directory", c_char_p), ("plan_limit", c_uint64)]


class AttributeValue(ctypes.Union):
    _fields_ = [("i", c_int64), ("f", c_double), ("ints", c_void_p), ("bytes", c_char_p)]


class Attribute(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int32), ("count", c_int32),
                ("value", AttributeValue)]


class AttributeRule(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int32), ("flags", c_uint32),
                ("default_int", c_int64), ("default_float", c_double)]


class Desc(ctypes.Structure):
    _fields_ = [("dtype", c_int32), ("rank", c_int32), ("shape", c_int64 * MAX_RANK),
                ("stride", c_int64 * MAX_RANK), ("align", c_int32), ("alias", c_int32)]


class Op(ctypes.Structure):
    """keel_op, up to the members that are used here."""
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("name", c_char_p),
                ("family", c_char_p), ("summary", c_char_p),
                ("attributes", POINTER(AttributeRule)), ("attribute_count", c_uint32),
                ("inputs", c_uint32), ("inputs_required", c_uint32), ("outputs", c_uint32)]


class Failure(Exception):
    """A call of Keel's that failed, with its message."""


def dense_strides(shape):
    """Row-major strides in elements."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return strides


def make_desc(number, size, shape, strides):
    """keel_desc of a tensor; strides in elements."""
    desc = Desc(dtype=number, rank=len(shape), align=size, alias=-1)
    for axis, extent in enumerate(shape):
        desc.shape[axis] = extent
        desc.stride[axis] = strides[axis] if extent != 1 else 0
    return desc


def make_attributes(values):
    """An array of keel_attribute, and the objects that it points at."""
    array = (Attribute * max(len(values), 1))()
    kept = []
    for slot, (name, value) in zip(array, values.items()):
        slot.name, slot.count = name.encode(), 1
        if isinstance(value, str):
            slot.kind, slot.count, slot.value.bytes = ATTR_BYTES, len(value), value.encode()
        elif isinstance(value, float):
            slot.kind, slot.value.f = ATTR_FLOAT, value
        elif isinstance(value, int):
            slot.kind, slot.value.i = ATTR_INT, value
        else:
            entries = (c_int64 * max(len(value), 1))(*value)
            slot.kind, slot.count = ATTR_INTS, len(value)
            slot.value.ints = ctypes.addressof(entries)
            kept.append(entries)
    return array, kept


class Keel:
    """A context with the built-in ops; no device is opened."""

    def __init__(self, path):
        library = ctypes.CDLL(path)
        self.library = library
        library.keel_context_create.argtypes = [c_void_p, c_void_p, c_void_p]
        library.keel_op_at.argtypes = [c_void_p, c_uint32]
        library.keel_op_at.restype = c_void_p
        library.keel_op_tuple.argtypes = [c_void_p, c_uint32, c_void_p]
        library.keel_dtype_name.argtypes = [c_int32]
        library.keel_dtype_name.restype = c_char_p
        library.keel_dtype_load.argtypes = [c_int32, c_void_p, c_int64]
        library.keel_dtype_load.restype = c_double
        library.keel_dtype_load_bits.argtypes = [c_int32, c_void_p, c_int64]
        library.keel_dtype_load_bits.restype = c_int64
        library.keel_dtype_store.argtypes = [c_int32, c_void_p, c_int64, c_double, c_double]
        library.keel_dtype_store.restype = None
        library.keel_op_oracle.argtypes = [
            c_void_p, c_void_p, c_uint32, c_void_p, c_uint32, c_void_p, c_uint32, c_void_p,
            c_int64, c_int64, c_void_p, c_void_p]
        options = ContextOptions(struct_size=ctypes.sizeof(ContextOptions), backends=b"ref",
                                 cache_directory=b"off")
        self.context = c_void_p()
        error = Error(struct_size=ctypes.sizeof(Error))
        if library.keel_context_create(byref(options), byref(self.context), byref(error)) != 0:
            raise Failure(error.message.decode())

    def ops(self):
        """Addresses of all contracts, in order of registration."""
        index = 0
        while (address := self.library.keel_op_at(self.context, index)) is not None:
            yield address
            index += 1

    def tuples(self, address):
        """The combinations of element types of an op: lists of the operands' type numbers."""
        types = (c_int32 * MAX_OPERANDS)()
        index = 0
        while self.library.keel_op_tuple(address, index, types):
            yield list(types)
            index += 1

    def load_bits(self, number, address):
        """An element as truths give it: floats as their pattern, integers as their value."""
        return self.library.keel_dtype_load_bits(number, address, 0)

    def rounded(self, number, high, low):
        """Bits of high + low as Keel rounds it to a type."""
        element = c_uint64()
        self.library.keel_dtype_store(number, byref(element), 0, high, low)
        return self.library.keel_dtype_load_bits(number, byref(element), 0)

    def oracle(self, address, attributes, inputs, outputs, asked, index, first, count):
        """
        Truths of output number asked of one call, as an array of TRUTH.

        inputs: tensors with desc() and address, None where absent. outputs: (number, size, shape)
        of each, None where absent. index: positions, or None: first, first + 1, ...
        """
        slots, kept = make_attributes(attributes)
        descs = (Desc * (len(inputs) + len(outputs)))()
        hosts = (c_void_p * max(len(inputs), 1))()
        for k, tensor in enumerate(inputs):
            if tensor is not None:
                descs[k], hosts[k] = tensor.desc(), tensor.address
        for k, output in enumerate(outputs):
            if output is not None:
                number, size, shape = output
                descs[len(inputs) + k] = make_desc(number, size, shape, dense_strides(shape))
        truths = np.zeros(max(count, 1), TRUTH)
        positions = None
        if index is not None:
            index = np.ascontiguousarray(index, np.int64)
            positions = index.ctypes.data
        error = Error(struct_size=ctypes.sizeof(Error))
        status = self.library.keel_op_oracle(
            address, slots, len(attributes), descs, len(descs), hosts, asked, positions,
            first, count, truths.ctypes.data, byref(error))
        del kept
        if status != 0:
            raise Failure(error.message.decode())
        return truths[:count]
