"""What all rows share is computed before a loop over rows, not once for each of them."""

from __future__ import annotations

import ast

import numpy as np

import srcad


def shares(Y, P):
    d = ((Y[:, None, :] - Y[None, :, :]) ** 2).sum(-1)
    q = 1 / (1 + d)
    Q = q / q.sum()
    return (P * np.log(P / Q)).sum()


def test_a_sum_of_all_elements_stands_in_no_other_loop_than_its_own():
    Y, P = np.random.default_rng(0).normal(size=(5, 2)), np.full((5, 5), 0.04)
    text = srcad.source(srcad.value_and_grad(shares), Y, P)
    assert _depth(ast.parse(text)) == 3  # pairs, and their coordinates


def _depth(node: ast.AST) -> int:
    return isinstance(node, ast.For) + max(map(_depth, ast.iter_child_nodes(node)), default=0)
