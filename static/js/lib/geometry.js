// What lies under a point of the frame. Polygons are lists of [x, y] in frame pixels.

export function inside(polygon, x, y) {
  let within = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) within = !within;
  }
  return within;
}

export function area(polygon) {
  let twice = 0;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    twice += polygon[j][0] * polygon[i][1] - polygon[i][0] * polygon[j][1];
  }
  return Math.abs(twice) / 2;
}

export function bounds(polygon) {
  const xs = polygon.map((point) => point[0]);
  const ys = polygon.map((point) => point[1]);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

function gap(polygon, x, y) {
  if (inside(polygon, x, y)) return 0;
  const { x0, y0, x1, y1 } = bounds(polygon);
  return Math.hypot(Math.max(x0 - x, 0, x - x1), Math.max(y0 - y, 0, y - y1));
}

// The things under a point, smallest first: a product before the shelf it stands on. With a reach
// (for fingers) also what lies within so many pixels, after all that is hit exactly.
export function under(things, x, y, reach = 0) {
  const hits = [];
  for (const thing of things) {
    let best = null;
    for (const outline of thing.outlines ?? []) {
      const distance = gap(outline, x, y);
      if (distance > reach) continue;
      const size = area(outline);
      if (!best || distance < best.distance || (distance === best.distance && size < best.size)) best = { distance, size };
    }
    if (best) hits.push({ thing, ...best });
  }
  hits.sort((a, b) => a.distance - b.distance || a.size - b.size);
  return hits.map((hit) => hit.thing);
}

// Frames are painted this wide; smaller than that, their labels are hard to read.
export const PAINTED = 960;
const MOST = 1.5 * PAINTED;
export const STEPS = [1, 1.5, 2];

// How wide an enlarged frame is in a room: all of it where that is large enough, else as high as the room.
export function enlarged(wide, high, step = 0) {
  const whole = Math.min(wide, (high * 16) / 9);
  const filling = Math.min(MOST, Math.max(PAINTED, wide, (high * 16) / 9));
  return Math.round((whole >= PAINTED ? whole : filling) * STEPS[step]);
}

// Where a thing's name is best put: the middle of its largest outline.
export function centre(thing) {
  const largest = [...(thing.outlines ?? [])].sort((a, b) => area(b) - area(a))[0];
  if (!largest) return null;
  const { x0, y0, x1, y1 } = bounds(largest);
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}
