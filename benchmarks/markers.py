"""Marks on crowded views: what one painted frame and both roles' frames cost, beside the supervision package.

    python -m benchmarks.markers [--supervision PYTHON]

``--supervision`` names the interpreter of an environment of its own that has ``supervision`` and OpenCV.
CPU milliseconds, medians over repeats. *ids to one frame* starts from entity numbers; *wire to both frames*
from the BMP and npy replies. supervision is given the labels; its three figures are: from the colour mask
(one ``cv2.inRange`` a colour), from entity numbers, and so with the outlines annotated once for both frames.
"""

import argparse
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from benchmarks.markers_views import crowded_views
from simulator_bridge.capture import decode_depth, decode_picture
from siturec.markers.camera import Camera
from siturec.markers.painting import jpeg, paint_labels, paint_outlines
from siturec.markers.seeing import find_marks, see

REPEATS = 15
LIMIT_M = 40.0


def cpu_ms(work: Callable[[], object]) -> float:
    """Median CPU time of a call, after one to warm up."""
    work()
    spent = []
    for _ in range(REPEATS):
        started = time.process_time()
        work()
        spent.append((time.process_time() - started) * 1e3)
    return statistics.median(spent)


def bmp(picture: np.ndarray) -> bytes:
    """A BMP as the wire sends it."""
    height, width = picture.shape[:2]
    head = b"BM" + (54 + picture.nbytes).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    info = (
        (40).to_bytes(4, "little")
        + width.to_bytes(4, "little")
        + (-height).to_bytes(4, "little", signed=True)
    )
    return (
        head + info + (1).to_bytes(2, "little") + (32).to_bytes(2, "little") + bytes(24) + picture.tobytes()
    )


def main() -> None:
    """Measure, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--supervision", help="interpreter of an environment with supervision", default="")
    args = parser.parse_args()
    cv2.setNumThreads(1)

    scene, views = crowded_views(LIMIT_M)
    rows = []
    saved: dict[str, np.ndarray] = {"table": np.vstack([scene.colours, np.zeros((1, 3), np.uint8)])}
    for place, (pose, frame, numbers, depth) in enumerate(views):
        bgra = np.dstack([frame, np.full(frame.shape[:2], 255, np.uint8)])
        colours = np.vstack([scene.colours, np.zeros((1, 3), np.uint8)])[numbers][..., ::-1]
        mask = np.dstack([colours, np.full(frame.shape[:2], 255, np.uint8)])
        buffer = io.BytesIO()
        np.save(buffer, np.where(np.isfinite(depth), depth * 100, 65504).astype(np.float32))
        wire = (bmp(bgra), bmp(mask), buffer.getvalue())
        height, width = numbers.shape
        camera = Camera(pose, width, height, scene.sight.fov_deg, scene.sight.eye_m)

        def one_frame(frame=frame, numbers=numbers, depth=depth, camera=camera) -> bytes:
            marks, _ = find_marks(numbers, depth, camera=camera, scene=scene, observation=0, seed=0)
            out = frame.copy()
            paint_outlines(out, marks)
            paint_labels(out, marks, user=True)
            return jpeg(out)

        def both(wire=wire, pose=pose, width=width, height=height) -> object:
            shown = decode_picture(wire[0], width=width, height=height, what="lit")
            found = scene.colour_table.numbers(
                decode_picture(wire[1], width=width, height=height, what="mask"), bgr=True
            )
            away = decode_depth(wire[2], width=width, height=height)
            return see(frame_bgr=shown, numbers=found, depth_m=away, pose=pose, scene=scene, observation=0)

        marks, _ = find_marks(numbers, depth, camera=camera, scene=scene, observation=0, seed=0)
        rows.append({"view": place, "things": len(marks), "one": cpu_ms(one_frame), "both": cpu_ms(both)})
        saved |= {
            f"frame{place}": frame,
            f"colours{place}": scene.colours[[m.number for m in marks if m.number >= 0]][:, ::-1],
            f"numbers{place}": numbers,
            f"ids{place}": np.array([m.number for m in marks if m.number >= 0], np.int32),
            f"user{place}": np.array([m.user for m in marks if m.number >= 0]),
            f"assistant{place}": np.array([m.assistant for m in marks if m.number >= 0]),
            f"product{place}": np.array([m.kind == "product" for m in marks if m.number >= 0]),
        }
    theirs = supervision_ms(args.supervision or sys.executable, saved, len(views))
    for row, other in zip(rows, theirs or [None] * len(rows), strict=True):
        beside = "" if other is None else "  supervision {:.0f}, {:.0f}, {:.0f} ms".format(*other)
        print(
            f"view {row['view']}: {row['things']:3d} things  ids to one frame {row['one']:5.2f} ms"
            f"  wire to both frames {row['both']:5.2f} ms{beside}"
        )
    middle = statistics.median(row["one"] for row in rows)
    print(f"ids to one painted JPEG at 960x540, median over views: {middle:.2f} ms (bar 6)")
    if theirs is None:
        print("supervision is not installed in the interpreter given, so nothing is compared")
        return
    ours = sum(row["both"] for row in rows)
    wire, ids, shared = (sum(other[place] for other in theirs) / ours for place in range(3))
    print(
        f"both roles' frames from what the wire delivers: {wire:.1f} times less than supervision (bar 8); "
        f"{ids:.1f} times less if it is handed ids, {shared:.1f} if it outlines once for both besides"
    )


def supervision_ms(python: str, saved: dict[str, np.ndarray], views: int) -> list[list[float]] | None:
    """Their CPU time per view in their own interpreter; None where it has no supervision."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "views.npz"
        np.savez(path, **saved)
        script = Path(__file__).with_name("markers_supervision.py")
        done = subprocess.run([python, str(script), str(path), str(views)], capture_output=True, text=True)
    if done.returncode == 3:
        return None
    done.check_returncode()
    return [[float(value) for value in row] for row in json.loads(done.stdout)]


if __name__ == "__main__":
    main()
