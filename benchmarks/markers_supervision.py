"""The same marks with the supervision package: run by benchmarks/markers.py in an environment that has it."""

import json
import statistics
import sys
import time

import numpy as np

try:
    import cv2
    import supervision as sv
except ImportError:
    sys.exit(3)

REPEATS = 3


def cpu_ms(work) -> float:
    """Median CPU time of a call, after one to warm up."""
    work()
    spent = []
    for _ in range(REPEATS):
        started = time.process_time()
        work()
        spent.append((time.process_time() - started) * 1e3)
    return statistics.median(spent)


def main() -> None:
    """Print for each view CPU milliseconds: from the colour mask; from ids; from ids, outlines shared."""
    saved = np.load(sys.argv[1])
    cv2.setNumThreads(1)
    polygon, box = sv.PolygonAnnotator(thickness=1), sv.BoxAnnotator(thickness=2)
    label = sv.LabelAnnotator(text_scale=0.4, text_padding=2)
    times = []
    for view in range(int(sys.argv[2])):
        frame, numbers, ids = saved[f"frame{view}"], saved[f"numbers{view}"], saved[f"ids{view}"]
        product = saved[f"product{view}"]

        colours = saved[f"colours{view}"]
        mask = np.ascontiguousarray(saved["table"][numbers][..., ::-1])

        def found(*, wire, numbers=numbers, ids=ids, colours=colours, mask=mask) -> np.ndarray:
            if wire:
                return np.stack([cv2.inRange(mask, colour, colour) > 0 for colour in colours])
            return np.stack([numbers == i for i in ids])

        def both(*, wire, share, frame=frame, ids=ids, product=product, view=view, found=found) -> None:
            masks = found(wire=wire)
            every = sv.Detections(xyxy=sv.mask_to_xyxy(masks), mask=masks, class_id=ids.astype(int))
            goods, places = every[product], every[~product]
            shared = None
            for role in ("user", "assistant"):
                if shared is None or not share:
                    shared = box.annotate(polygon.annotate(frame.copy(), goods), places)
                painted = label.annotate(shared.copy(), every, labels=list(saved[f"{role}{view}"]))
                cv2.imencode(".jpg", painted, [cv2.IMWRITE_JPEG_QUALITY, 80])

        ways = (
            {"wire": True, "share": False},
            {"wire": False, "share": False},
            {"wire": False, "share": True},
        )
        times.append([cpu_ms(lambda way=way: both(**way)) for way in ways])
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
