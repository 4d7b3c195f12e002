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
    """Print, for each view, the CPU milliseconds of annotating each frame, and of sharing the outlines."""
    saved = np.load(sys.argv[1])
    cv2.setNumThreads(1)
    polygon, box = sv.PolygonAnnotator(thickness=1), sv.BoxAnnotator(thickness=2)
    label = sv.LabelAnnotator(text_scale=0.4, text_padding=2)
    times = []
    for view in range(int(sys.argv[2])):
        frame, numbers, ids = saved[f"frame{view}"], saved[f"numbers{view}"], saved[f"ids{view}"]
        product = saved[f"product{view}"]

        def both(*, share, frame=frame, numbers=numbers, ids=ids, product=product, view=view) -> None:
            masks = np.stack([numbers == i for i in ids])
            every = sv.Detections(xyxy=sv.mask_to_xyxy(masks), mask=masks, class_id=ids.astype(int))
            goods, places = every[product], every[~product]
            shared = None
            for role in ("user", "assistant"):
                if shared is None or not share:
                    shared = box.annotate(polygon.annotate(frame.copy(), goods), places)
                painted = label.annotate(shared.copy(), every, labels=list(saved[f"{role}{view}"]))
                cv2.imencode(".jpg", painted, [cv2.IMWRITE_JPEG_QUALITY, 80])

        times.append([cpu_ms(lambda: both(share=False)), cpu_ms(lambda: both(share=True))])
    json.dump(times, sys.stdout)


if __name__ == "__main__":
    main()
