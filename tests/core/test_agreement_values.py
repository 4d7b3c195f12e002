"""The worked values E1 to E12: what independent computations gave, to the printed digits."""

from itertools import product

import numpy as np
import pytest

from siturec.agreement.bootstrap import (
    Clusters,
    cluster_weights,
    coefficient_draws,
    interval,
    more_clusters,
)
from siturec.agreement.correlation import (
    bias,
    ccc,
    fisher_interval,
    kendall,
    mae,
    midranks,
    pearson,
    rmse,
    rounded,
    spearman,
    undefined_reason,
)
from siturec.agreement.multiple import holm, williams
from siturec.agreement.pairwise import one_sided_p, pair_counts, soft_pairwise_accuracy
from siturec.agreement.permutation import pairings, permutation_p
from siturec.agreement.reliability import ceiling, cronbach_alpha, intraclass, krippendorff_alpha
from siturec.agreement.sensitivity import leave_one_out, mad_z, outliers, rests_on

E1_H, E1_S = [4.2, 3.8, 3.5, 2.9, 2.1], [4.5, 4.1, 4.3, 3.6, 3.0]
E2_H, E2_S = [4.0, 4.0, 3.5, 3.0, 2.0], [4.2, 3.9, 3.9, 3.1, 2.5]
E6_H, E6_S = [4.1, 4.0, 3.9, 4.05, 1.2], [4.0, 4.1, 4.05, 3.9, 1.5]
tight = {"abs": 1e-12}


def exact(human, simulated):
    return permutation_p(rounded(human), rounded(simulated))


def test_e1_without_ties():
    assert pearson(E1_H, E1_S) == pytest.approx(0.9670366163447992, **tight)
    assert spearman(E1_H, E1_S) == pytest.approx(0.9, **tight)
    assert kendall(E1_H, E1_S) == pytest.approx(0.8, **tight)
    p = exact(E1_H, E1_S)
    assert (p.pearson, p.spearman, p.kendall) == pytest.approx((2 / 120, 10 / 120, 10 / 120), **tight)
    assert (p.method, p.pairings) == ("exact", 120)
    assert fisher_interval(0.9670366163447992, 5) == pytest.approx((0.5773904440260706, 0.9979058220307025))
    assert pair_counts(E1_H, E1_S).accuracy == pytest.approx(9 / 10)


def test_e1_level_is_seen_beside_the_association():
    assert bias(E1_H, E1_S) == pytest.approx(0.6)
    assert mae(E1_H, E1_S) == pytest.approx(0.6)
    assert rmse(E1_H, E1_S) == pytest.approx(0.6511528238439882)
    assert ccc(E1_H, E1_S) == pytest.approx(0.6442953020134228)
    icc = intraclass(np.column_stack([E1_H, E1_S]))
    assert icc.a1 == pytest.approx(0.693642, abs=1e-6)
    assert icc.c1 == pytest.approx(0.923077, abs=1e-6)


def test_e2_with_ties_on_both_sides():
    assert list(midranks(E2_H)) == [4.5, 4.5, 3, 2, 1]
    assert list(midranks(E2_S)) == [5, 3.5, 3.5, 2, 1]
    assert pearson(E2_H, E2_S) == pytest.approx(0.9670174130384772, **tight)
    assert spearman(E2_H, E2_S) == pytest.approx(35 / 38, **tight)
    assert kendall(E2_H, E2_S) == pytest.approx(8 / 9, **tight)
    p = exact(E2_H, E2_S)
    assert (p.pearson, p.spearman, p.kendall) == pytest.approx((4 / 120, 8 / 120, 8 / 120), **tight)
    counts = pair_counts(E2_H, E2_S)
    assert (counts.concordant, counts.discordant) == (8, 0)
    assert (counts.tied_human, counts.tied_simulated, counts.tied_both) == (1, 1, 0)
    assert counts.accuracy == pytest.approx(0.8)
    assert counts.tau23 == pytest.approx(0.6)


def test_e3_a_system_without_human_data_is_dropped():
    h, s = [4.2, 3.8, 2.9, 2.1], [4.5, 4.1, 3.6, 3.0]
    assert pearson(h, s) == pytest.approx(0.9960088066763961, **tight)
    assert spearman(h, s) == 1.0
    p = exact(h, s)
    assert (p.pearson, p.spearman, p.kendall) == pytest.approx((1 / 24, 2 / 24, 2 / 24), **tight)
    assert undefined_reason([4.2, 3.8, None, 2.9, 2.1], E1_S) is None


def test_e4_a_constant_side_has_a_reason_and_no_number():
    assert undefined_reason([3, 3, 3, 3, 3], E1_S) == "constant_human"
    assert undefined_reason(E1_H, [3, 3, 3, 3, 3]) == "constant_simulated"
    assert undefined_reason([3] * 5, [2] * 5) == "all_tied"
    assert np.isnan(pearson([3] * 5, E1_S))
    assert np.isnan(kendall([3] * 5, E1_S))


def test_e4_float_noise_is_constant_too():
    noisy = [3.2000000000000006] * 4 + [3.1999999999999997]
    assert undefined_reason(noisy, E1_S) == "constant_human"


def test_e5_under_three_systems_nothing_is_computed():
    assert undefined_reason([3, 4], [2, 5]) == "too_few_systems"
    assert undefined_reason([3], [2]) == "too_few_systems"
    assert undefined_reason([], []) == "missing_side"
    assert undefined_reason([None, None, None], [1, 2, 3]) == "missing_side"
    assert undefined_reason([1, 2, None], [None, 2, 3]) == "too_few_systems"
    assert undefined_reason([1, 2, 3], [1, 2, 4]) is None
    assert pearson([1, 2, 3], [1, 2, 4]) == pytest.approx(0.9819805060619655, **tight)
    assert exact([1, 2, 3], [1, 2, 4]).spearman == pytest.approx(2 / 6, **tight)


def test_e6_one_outlier_makes_the_coefficient_and_is_named():
    assert pearson(E6_H, E6_S) == pytest.approx(0.994248816429724, **tight)
    p = exact(E6_H, E6_S)
    assert (p.pearson, p.spearman, p.kendall) == pytest.approx((20 / 120, 94 / 120, 98 / 120), **tight)
    assert spearman(E6_H, E6_S) == pytest.approx(0.2, **tight)
    assert mad_z(E6_H)[4] == pytest.approx(-18.88, abs=0.005)
    assert mad_z(E6_S)[4] == pytest.approx(-16.86, abs=0.005)
    assert outliers("abcde", E6_H, E6_S) == ("e",)
    left_out = leave_one_out("abcde", E6_H, E6_S)
    assert left_out.pearson == pytest.approx((0.994988, 0.995186, 0.996531, 0.996861, -0.485714), abs=1e-6)
    assert left_out.spearman == pytest.approx((0.4, 0.4, 0.4, 0.4, -0.6), **tight)
    assert left_out.range_of("pearson") == pytest.approx((-0.485714, 0.996861), abs=1e-6)
    assert rests_on(left_out, 0.994248816429724) == "e"


@pytest.mark.parametrize(
    ("n", "perfect", "rho_swapped", "p_swapped"),
    [
        (4, 2 / 24, None, None),
        (5, 2 / 120, 0.9, 10 / 120),
        (6, 2 / 720, 0.942857, 12 / 720),
        (7, 2 / 5040, 0.964286, 14 / 5040),
    ],
)
def test_e7_perfect_ranks_and_one_adjacent_swap(n, perfect, rho_swapped, p_swapped):
    up = list(range(n))
    assert exact(up, up).spearman == pytest.approx(perfect, **tight)
    if rho_swapped is not None:
        swapped = [1, 0, *up[2:]]
        assert spearman(up, swapped) == pytest.approx(rho_swapped, abs=1e-6)
        assert exact(up, swapped).spearman == pytest.approx(p_swapped, **tight)


@pytest.mark.parametrize(("n", "rho", "p"), [(6, 0.886, 0.0333), (6, 0.829, 0.0583), (7, 0.786, 0.0480)])
def test_reach_of_the_exact_test_at_few_systems(n, rho, p):
    up = np.arange(n)
    rows = pairings(n)
    rhos = spearman(up, rows)
    at = int(np.argmin(np.abs(rhos - rho)))
    assert rhos[at] == pytest.approx(rho, abs=6e-4)
    assert exact(up, rows[at]).spearman == pytest.approx(p, abs=6e-5)


def test_e9_soft_pairwise_accuracy_by_all_sign_swaps():
    human = np.array([[5, 4, 2], [4, 4, 3], [4, 3, 1]], dtype=float)
    simulated = np.array([[4, 4, 3], [5, 4, 3], [4, 4, 2]], dtype=float)
    assert list(one_sided_p(human)) == pytest.approx([1 / 4, 1 / 8, 1 / 8])
    assert list(one_sided_p(simulated)) == pytest.approx([1 / 2, 1 / 8, 1 / 8])
    assert soft_pairwise_accuracy(human, simulated) == pytest.approx(11 / 12)
    assert pair_counts(human.mean(0), simulated.mean(0)).accuracy == 1.0


def test_e10_cluster_bootstrap_over_all_27_draws():
    people = np.array([[5, 4, 2], [4, 4, 3], [3, 5, 1]], dtype=float)
    simulated = np.array([4.5, 4.0, 2.5])
    weights = cluster_weights(3)
    assert weights.shape == (27, 3)
    draws = coefficient_draws(Clusters(people, np.ones((3, 3))).means(weights), simulated)
    rho = sorted(np.round(draws["spearman"], 6))
    assert [rho.count(value) for value in (1.0, 0.866025, 0.5)] == [7, 4, 16]
    r = draws["pearson"]
    assert r.min() == pytest.approx(0.720576692122892)
    assert r.max() == pytest.approx(0.9992600812897371)
    assert np.median(r) == pytest.approx(0.93050085576319)
    found = interval(r)
    assert (found.low, found.high) == pytest.approx((0.74846864, 0.99926008), abs=1e-8)
    assert (found.resamples, found.undefined_share) == (27, 0.0)


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
def test_a_resample_in_which_a_system_has_no_value_has_no_coefficient(coefficient):
    draws = np.array([[1.0, 2.0, 3.0, 5.0, 4.0], [1.0, np.nan, 3.0, 5.0, 4.0]])
    whole, torn = coefficient(draws, E1_S)
    assert whole < 0
    assert np.isnan(torn)


def test_resampling_systems_would_be_degenerate():
    few = sum(len(set(draw)) <= 2 for draw in product(range(5), repeat=5))
    assert (few, 5**5) == (305, 3125)


KRIPPENDORFF = [
    "1 2 3 3 2 1 4 1 2 - - -",
    "1 2 3 3 2 2 4 1 2 5 - 3",
    "- 3 3 3 2 3 4 2 2 5 1 -",
    "1 2 3 3 2 4 4 1 2 5 1 -",
]


def test_e11_krippendorffs_alpha():
    table = [[float("nan") if cell == "-" else float(cell) for cell in row.split()] for row in KRIPPENDORFF]
    assert krippendorff_alpha(table, scale="nominal") == pytest.approx(0.743421, abs=1e-6)
    assert krippendorff_alpha(table, scale="ordinal") == pytest.approx(0.815388, abs=1e-6)
    assert krippendorff_alpha(table, scale="interval") == pytest.approx(0.849107, abs=1e-6)
    assert krippendorff_alpha([[4, 4, 4], [4, 4, 4]]) is None
    assert krippendorff_alpha([[4, np.nan], [np.nan, 5]]) is None


def test_e11_intraclass_correlations():
    table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    expected = (0.165742, 0.289764, 0.714841, 0.442797, 0.620051, 0.909316)
    assert tuple(intraclass(table)) == pytest.approx(expected, abs=1e-6)


def test_e11_cronbachs_alpha():
    answers = [
        [4, 5, 4, 4, 5, 4, 4], [3, 3, 2, 3, 3, 3, 2], [5, 5, 5, 4, 5, 5, 5],
        [2, 2, 3, 2, 1, 2, 2], [4, 4, 4, 5, 4, 4, 3],
    ]  # fmt: skip
    assert cronbach_alpha(answers) == pytest.approx(0.971078431372549)
    assert cronbach_alpha([*answers, [5, np.nan, 5, 5, 5, 5, 5]]) == pytest.approx(0.971078431372549)


def test_the_ceiling_that_reliability_puts_on_r():
    assert ceiling(0.6, 0.8) == pytest.approx(0.693, abs=5e-4)
    assert ceiling(-0.1, 0.8) is None
    assert ceiling(None, 0.8) is None


def test_e12_holm_and_williams():
    adjusted = holm([0.0083, 0.0167, 0.04, 0.05, 0.1, 0.2, 0.5])
    assert adjusted == pytest.approx([0.0581, 0.1002, 0.2, 0.2, 0.3, 0.4, 0.5])
    assert holm([0.04, None, 0.01]) == pytest.approx([0.04, None, 0.02])
    five, seven = williams(0.95, 0.80, 0.85, 5), williams(0.95, 0.80, 0.85, 7)
    assert five == pytest.approx((1.22705, 0.172322), abs=1e-5)
    assert seven == pytest.approx((1.72859, 0.079473), abs=1e-5)


def test_an_offset_lowers_concordance_but_not_r():
    h = np.array([2.1, 2.9, 3.5, 3.8, 4.2])
    assert pearson(h, h + 0.8) == pytest.approx(1.0)
    assert ccc(h, h + 0.8) == pytest.approx(0.628, abs=1e-3)


@pytest.mark.parametrize(("n", "low", "high"), [(5, 0.086, 0.993), (6, 0.328, 0.989), (7, 0.456, 0.985)])
def test_fishers_interval_of_r_point_nine(n, low, high):
    assert fisher_interval(0.9, n) == pytest.approx((low, high), abs=5e-4)
    assert fisher_interval(0.9, 3) is None


def test_participants_still_needed_grow_with_the_square_of_the_width():
    assert more_clusters(5, width=0.8, wanted=0.4) == 15
    assert more_clusters(5, width=0.3, wanted=0.4) == 0
