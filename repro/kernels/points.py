"""Points as SIMD vectors, for the loops over triplets.

A loop over single coordinates spends most of its time on address computations. Here a row of an
(n, d) array is loaded, used and stored as a whole. The functions work in compiled code only; arrays
are float64 and C-contiguous; ``zero`` is a tuple of d zeros, whose length the compiler knows.
"""

from functools import partial, reduce

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

from repro.kernels.elementary import SUMS

FLAGS = tuple(SUMS["fastmath"])


class Point(types.Type):
    """The numba type of a point with d coordinates."""

    def __init__(self, d):
        self.d, self.vector = d, ir.VectorType(ir.DoubleType(), d)
        super().__init__(name=f"Point({d})")


@register_model(Point)
def _model(manager, point):
    """Store a point in one vector register."""
    return models.PrimitiveModel(manager, point, point.vector)


def _at(number):
    return ir.Constant(ir.IntType(32), number)


def _place(context, builder, array, value, i, point):
    """Return a pointer to row i of an array."""
    data = context.make_array(array)(context, builder, value).data
    first = builder.mul(i, ir.Constant(i.type, point.d))
    return builder.bitcast(builder.gep(data, [first]), point.vector.as_pointer())


@intrinsic
def load(typingctx, Y, i, zero):
    """Return row i of Y."""
    point = Point(len(zero))

    def codegen(context, builder, signature, args):
        return builder.load(_place(context, builder, Y, *args[:2], point), align=8)

    return point(Y, types.intp, zero), codegen


@intrinsic
def store(typingctx, Y, i, point):
    """Store a point in row i of Y."""

    def codegen(context, builder, signature, args):
        builder.store(args[2], _place(context, builder, Y, *args[:2], point), align=8)
        return context.get_dummy_value()

    return types.none(Y, types.intp, point), codegen


@intrinsic
def origin(typingctx, zero):
    """Return the origin."""
    point = Point(len(zero))
    return point(zero), lambda *_: ir.Constant(point.vector, [0.0] * point.d)


@intrinsic
def plus(typingctx, a, b):
    """Return a + b of two points."""
    return a(a, b), lambda context, builder, _, args: builder.fadd(*args, flags=FLAGS)


@intrinsic
def minus(typingctx, a, b):
    """Return a - b of two points."""
    return a(a, b), lambda context, builder, _, args: builder.fsub(*args, flags=FLAGS)


@intrinsic
def times(typingctx, factor, point):
    """Multiply a point by a number."""

    def codegen(context, builder, signature, args):
        factors = ir.Constant(point.vector, ir.Undefined)
        for dim in range(point.d):
            factors = builder.insert_element(factors, args[0], _at(dim))
        return builder.fmul(factors, args[1], flags=FLAGS)

    return point(types.float64, point), codegen


@intrinsic
def squared_norm(typingctx, point):
    """Return |y|² of a point."""

    def codegen(context, builder, signature, args):
        vector = builder.fmul(args[0], args[0], flags=FLAGS)
        squares = [builder.extract_element(vector, _at(dim)) for dim in range(point.d)]
        return reduce(partial(builder.fadd, flags=FLAGS), squares)

    return types.float64(point), codegen
