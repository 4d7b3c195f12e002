// Pictures on the socket: one byte for the kind, four for the frame's number (big-endian), then a JPEG.

export const STILL = 1;
export const MOVING = 2;
export const MINIMAP = 3;

export function unpack(buffer) {
  if (buffer.byteLength < 6) return null;
  const view = new DataView(buffer);
  return { kind: view.getUint8(0), number: view.getUint32(1), jpeg: new Blob([new Uint8Array(buffer, 5)], { type: "image/jpeg" }) };
}
