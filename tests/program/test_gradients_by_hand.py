"""Gradients of single nodes, worked by hand from small whole numbers."""

import pytest
from sympy import Matrix, MatrixSymbol, ZeroMatrix

from symattn import derive, differentiate
from symattn.errors import NotSupportedError
from symattn.nodes import (
    HEAD,
    Block,
    BucketSums,
    ConcatHeads,
    HeadColumns,
    SolveLower,
    SumGroup,
    SumHeads,
    clipped_buckets,
)


@pytest.mark.parametrize(
    ("turned", "dL", "dR"),
    [
        (False, [[0, 0], [-1, 0]], [7, 1]),  # 10 r_1 + (r_2 − l r_1)
        (True, [[0, 0], [-50, 0]], [10, -29]),  # 10 (r_1 − l r_2) + r_2
    ],
)
def test_a_system_of_two_rows_by_hand(turned, dL, dR):
    """Of L the entry l = 3 below the diagonal alone counts."""
    L, R = MatrixSymbol("L", 2, 2), MatrixSymbol("R", 2, 1)
    solved = derive(SolveLower(L, R, turned), {L: [[7, 5], [3, 9]], R: [[1], [5]]})
    back = differentiate(solved, G=[[10], [1]])
    assert back["dL"].exact == Matrix(dL) and back["dR"].exact == Matrix(dR)


def test_sums_of_buckets_hand_on_what_their_bucket_receives():
    X = MatrixSymbol("X", 2, 3)  # of the distances i − j, −1 and less, 0, and 1
    back = differentiate(derive(BucketSums(X, clipped_buckets(3)), {X: [[1, 2, 3], [4, 5, 6]]}), G=[[5], [7], [11]])
    assert back["dX"].exact == Matrix([[7, 5, 5], [11, 7, 5]])


X, W = MatrixSymbol("X", 1, 2), MatrixSymbol("W", 2, 2)


@pytest.mark.parametrize(
    ("join", "G", "dX", "dW"),
    [
        (ConcatHeads, [1, 10], [21, 74], [[3, 30], [5, 50]]),  # X W: G Wᵀ and Xᵀ G
        (SumHeads, [10], [30, 110], [[30, 30], [50, 50]]),  # X (w_1 + w_2)
    ],
)
def test_what_all_heads_share_receives_the_sum_over_them(join, G, dX, dW):
    made = derive(join(X * HeadColumns(W, HEAD, 2), HEAD, 2), {X: [[3, 5]], W: [[1, 2], [4, 7]]})
    back = differentiate(made, G=[G])
    assert back["dX"].exact == Matrix([dX]) and back["dW"].exact == Matrix(dW)


@pytest.mark.parametrize(
    ("block", "G", "dA"),
    [
        ((1, 1, 1, 2), [[1, 2]], [[0, 0, 0, 0], [0, 1, 2, 0], [0, 0, 0, 0]]),
        ((0, 3, 2, 2), [[1, 2], [3, 4], [5, 6]], [[0, 0, 1, 2], [0, 0, 3, 4], [0, 0, 5, 6]]),
        ((2, 1, 0, 4), [[1, 2, 3, 4]], [[0, 0, 0, 0], [0, 0, 0, 0], [1, 2, 3, 4]]),
    ],
)
def test_a_block_hands_its_gradient_to_its_place(block, G, dA):
    """From row and column so many rows and columns; no zeros are put beside what reaches the edge."""
    A = MatrixSymbol("A", 3, 4)
    step = differentiate(derive(Block(A, *block), {A: [[1] * 4] * 3}), G=G)["dA"]
    assert step.exact == Matrix(dA) and not any(0 in zeros.shape for zeros in step.expression.atoms(ZeroMatrix))


def test_a_sum_over_one_group_gives_nothing_to_the_heads_of_others():
    """The second of two numbers does not depend on the first: no gradient, rather than G for both of them."""
    made = derive(SumGroup(HeadColumns(X, HEAD, 2), HEAD, 2, 2, 2), {X: [[3, 5]]})
    with pytest.raises(NotSupportedError):
        differentiate(made, G=[[10]])
