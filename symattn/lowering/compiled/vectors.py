"""Vector registers for Numba: a type, the few operations that attention needs of it, and a tile of a matrix product.

LLVM keeps a tile of sums in registers only if it is told about whole vectors; Numba's own loops do not tell it. Each
operation is a few instructions of LLVM. Rules are IEEE's but that a product and a sum may be contracted to one step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, extending
from numba.core.extending import models, register_model

_FEATURES = llvm.get_host_cpu_features()
BYTES = 64 if _FEATURES.get("avx512f") else 32 if _FEATURES.get("avx") else 16
HIGH = 4 if BYTES == 32 else 8  # rows of a tile: with its 3 vectors a row it fills the registers, of which AVX2 has 16
intrinsic: Any = extending.intrinsic  # what it makes takes fewer arguments than it is defined with
CONTRACT = ("contract",)
LONG = ir.IntType(64)


class Lanes(types.Type):
    """A vector register of numbers of one type."""

    def __init__(self, dtype: Any) -> None:
        self.dtype, self.count = dtype, BYTES // (dtype.bitwidth // 8)
        super().__init__(name=f"Lanes({dtype})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, ir.VectorType(manager.lookup(lanes.dtype).get_value_type(), lanes.count))


def _constant(lanes: Lanes, x: float) -> Any:
    number = ir.FloatType() if lanes.dtype.bitwidth == 32 else ir.DoubleType()
    return ir.Constant(ir.VectorType(number, lanes.count), [x] * lanes.count)


def _broadcast(builder: Any, lanes: Lanes, vector: Any, x: Any) -> Any:
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), x, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [index])


# --- memory: flat arrays, indices that are not negative, no bounds looked at


@intrinsic
def load(typing: Any, x: Any, i: Any) -> Any:
    """The vector x[i], x[i + 1], ..."""
    lanes = Lanes(x.dtype)

    def lower(context: Any, builder: Any, signature: Any, a: Any) -> Any:
        vector = context.get_value_type(lanes)
        place = builder.bitcast(_address(context, builder, x, *a), vector.as_pointer())
        return builder.load(place, align=x.dtype.bitwidth // 8, typ=vector)

    return lanes(x, types.intp), lower


@intrinsic
def store(typing: Any, x: Any, i: Any, v: Any) -> Any:
    """x[i], x[i + 1], ... become a vector."""

    def lower(context: Any, builder: Any, signature: Any, a: Any) -> Any:
        place = builder.bitcast(_address(context, builder, x, a[0], a[1]), context.get_value_type(v).as_pointer())
        builder.store(a[2], place, align=x.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(x, types.intp, v), lower


@intrinsic
def get(typing: Any, x: Any, i: Any) -> Any:
    """The number x[i]."""

    def lower(context: Any, builder: Any, signature: Any, a: Any) -> Any:
        return builder.load(_address(context, builder, x, *a))

    return x.dtype(x, types.intp), lower


@intrinsic
def put(typing: Any, x: Any, i: Any, v: Any) -> Any:
    """x[i] becomes a number."""

    def lower(context: Any, builder: Any, signature: Any, a: Any) -> Any:
        builder.store(a[2], _address(context, builder, x, a[0], a[1]))
        return context.get_dummy_value()

    return types.void(x, types.intp, x.dtype), lower


@intrinsic
def take(typing: Any, counter: Any) -> Any:
    """The next number of a counter that threads share."""

    def lower(context: Any, builder: Any, signature: Any, a: Any) -> Any:
        data = context.make_array(counter)(context, builder, a[0]).data
        return builder.atomic_rmw("add", data, LONG(1), "monotonic")

    return types.int64(counter), lower


@intrinsic
def apart(typing: Any) -> Any:
    """The function that calls this is not inlined, which would compile it again for every call."""

    def lower(context: Any, builder: Any, signature: Any, a: Any) -> Any:
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), lower


# --- arithmetic

Make = Callable[..., Any]


@intrinsic
def splat(typing: Any, x: Any) -> Any:
    """A vector of one number."""
    lanes = Lanes(x)

    def lower(context: Any, builder: Any, signature: Any, a: Any) -> Any:
        return _broadcast(builder, lanes, context.get_value_type(lanes), a[0])

    return lanes(x), lower


@intrinsic
def extract(typing: Any, v: Any, i: Any) -> Any:
    """The number i of a vector."""
    return v.dtype(v, types.intp), lambda context, builder, signature, a: builder.extract_element(*a)


def _unary(make: Make) -> Any:
    def operation(typing: Any, x: Any) -> Any:
        return x(x), lambda context, builder, signature, a: make(builder, x, *a)

    return intrinsic(operation)


def _binary(make: Make) -> Any:
    def operation(typing: Any, x: Any, y: Any) -> Any:
        return x(x, y), lambda context, builder, signature, a: make(builder, x, *a)

    return intrinsic(operation)


def _ternary(make: Make) -> Any:
    def operation(typing: Any, x: Any, y: Any, z: Any) -> Any:
        return x(x, y, z), lambda context, builder, signature, a: make(builder, x, *a)

    return intrinsic(operation)


def _larger(builder: Any, lanes: Lanes, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", x, y), x, y)


def _multiply_add(builder: Any, lanes: Lanes, x: Any, y: Any, z: Any) -> Any:
    return builder.fadd(builder.fmul(x, y, flags=CONTRACT), z, flags=CONTRACT)


# 2^x on [-1/2, 1/2] is 1 + x p(x), with p the interpolant at Chebyshev's nodes: relative errors of 5e-9 and 8e-18
_SERIES = {
    32: (1.0, 0.69314718802622878, 0.24022650760568127, 0.055503571142190778, 0.0096180825572778515,
         0.0013390863364671234, 0.0001545316294512069),
    64: (1.0, 0.69314718055994531, 0.24022650695910098, 0.055504108664821594, 0.0096181291076068885,
         0.0013333558146416935, 0.0001540353044173605, 1.5252733829836118e-5, 1.321544258792169e-6,
         1.0178062445845774e-7, 7.0725859492692237e-9, 4.4549605981865184e-10),
}  # fmt: skip


def _exp2(builder: Any, lanes: Lanes, x: Any) -> Any:
    """2^x for x <= 0: the nearest whole number goes to the exponent, a polynomial makes the rest; 0 far below."""
    single = lanes.dtype.bitwidth == 32
    # a whole number added to 1.5 * 2^23 (2^52) stands in the lowest bits
    magic = _constant(lanes, 12582912.0 if single else 6755399441055744.0)
    x = _larger(builder, lanes, _constant(lanes, -127.0 if single else -1023.0), x)
    whole = builder.fadd(x, magic)
    rest = builder.fsub(x, builder.fsub(whole, magic))
    *others, last = (float(np.float32(c)) if single else c for c in _SERIES[lanes.dtype.bitwidth])
    p = _constant(lanes, last)
    for c in reversed(others):
        p = _multiply_add(builder, lanes, p, rest, _constant(lanes, c))
    integers = ir.VectorType(ir.IntType(lanes.dtype.bitwidth), lanes.count)
    shift = ir.Constant(integers, [23 if single else 52] * lanes.count)
    exponent = builder.shl(builder.bitcast(whole, integers), shift)
    return builder.bitcast(builder.add(builder.bitcast(p, integers), exponent), p.type)


add = _binary(lambda builder, _, x, y: builder.fadd(x, y))
subtract = _binary(lambda builder, _, x, y: builder.fsub(x, y))
multiply = _binary(lambda builder, _, x, y: builder.fmul(x, y))
divide = _binary(lambda builder, _, x, y: builder.fdiv(x, y))
larger = _binary(_larger)
fma = _ternary(_multiply_add)
exp2 = _unary(_exp2)


def tile(high: int, wide: int) -> Any:
    """C (+)= A B for a tile of so many rows and vectors: sums stay in registers while k runs over the depth.

    C[i, w] = sum over k of A[a + i ra + k ca] B[b + k ldb + w], with rows of C and B contiguous.
    """

    @intrinsic
    def operation(
        typing: Any, depth: Any, A: Any, a: Any, ra: Any, ca: Any, B: Any, b: Any, ldb: Any, C: Any, c: Any, ldc: Any,
        more: Any,
    ) -> Any:  # fmt: skip
        lanes, size = Lanes(C.dtype), C.dtype.bitwidth // 8

        def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            depth, in_a, a, ra, ca, in_b, b, ldb, in_c, c, ldc, more = given
            vector = context.get_value_type(lanes)
            cells = [(i, w) for i in range(high) for w in range(wide)]
            from_a = _address(context, builder, A, in_a, a)
            from_b = _address(context, builder, B, in_b, b)
            to_c = _address(context, builder, C, in_c, c)
            starts = [builder.gep(from_a, [builder.mul(ra, LONG(i))]) for i in range(high)]
            sums = {cell: cgutils.alloca_once_value(builder, _constant(lanes, 0.0)) for cell in cells}

            def vector_at(row: Any, w: int) -> Any:
                return builder.bitcast(builder.gep(row, [LONG(w * lanes.count)]), vector.as_pointer())

            with cgutils.for_range(builder, depth, intp=LONG) as loop:
                row = builder.gep(from_b, [builder.mul(loop.index, ldb)])
                loaded = [builder.load(vector_at(row, w), align=size) for w in range(wide)]
                step = builder.mul(loop.index, ca)
                for i, start in enumerate(starts):
                    x = _broadcast(builder, lanes, vector, builder.load(builder.gep(start, [step])))
                    for w in range(wide):
                        made = _multiply_add(builder, lanes, x, loaded[w], builder.load(sums[i, w]))
                        builder.store(made, sums[i, w])
            for i, w in cells:
                place = vector_at(builder.gep(to_c, [builder.mul(ldc, LONG(i))]), w)
                with builder.if_then(more):
                    old = builder.load(place, align=size)
                    builder.store(builder.fadd(builder.load(sums[i, w]), old), sums[i, w])
                builder.store(builder.load(sums[i, w]), place, align=size)
            return context.get_dummy_value()

        long = types.intp
        return types.void(long, A, long, long, long, B, long, long, C, long, long, types.boolean), lower

    return operation
