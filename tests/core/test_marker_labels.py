"""Where a mark's label goes."""

from hypothesis import given
from hypothesis import strategies as st

from siturec.markers.layout import Wish, place_labels
from siturec.markers.scene import marker_scene
from tests.core.marker_samples import H, W, empty, look, pack

WISHES = st.lists(
    st.builds(
        lambda x, y, w, h, bw, bh, must: Wish(
            (x + bw // 2, y + bh // 2), (x, y, x + bw, y + bh), (w, h), must
        ),
        st.integers(0, 900),
        st.integers(0, 500),
        st.integers(10, 40),
        st.integers(10, 24),
        st.integers(4, 59),
        st.integers(4, 39),
        st.booleans(),
    ),
    max_size=60,
)


@given(WISHES)
def test_labels_stay_in_the_frame_and_never_cover_each_other(wishes):
    placed = [
        (*corner, *wish.size)
        for wish, corner in zip(wishes, place_labels(wishes, width=W, height=H), strict=True)
        if corner is not None
    ]
    for x, y, w, h in placed:
        assert x >= 0
        assert x + w <= W
        assert y >= 0
        assert y + h <= H
    for i, (x, y, w, h) in enumerate(placed):
        for a, b, c, d in placed[:i]:
            assert x + w <= a or a + c <= x or y + h <= b or b + d <= y


def test_where_there_is_room_everything_is_labelled():
    wishes = [Wish((50 + 80 * (n % 11), 40 + 50 * (n // 11)), (0, 0, 959, 539), (30, 18)) for n in range(99)]
    assert None not in place_labels(wishes, width=W, height=H)


def test_what_has_no_room_for_a_label_is_still_in_the_table():
    scene = marker_scene(pack(60))
    numbers, depth = empty()
    depth[:] = 2.0
    for n in range(60):
        numbers[200 + n // 10 * 9 : 208 + n // 10 * 9, 300 + n % 10 * 9 : 308 + n % 10 * 9] = n
    visible = look(scene, numbers, depth).observation.visible
    assert len(visible) == 60
    assert 0 < sum(s.labelled for s in visible) < 60
