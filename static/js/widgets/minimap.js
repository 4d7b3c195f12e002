// The store's plan with one's own place on it, where the study shows it: small over the picture, large when pressed.

export function minimap(box, large) {
  const images = [box.querySelector("img"), large];
  let url = null;
  return {
    allow(on) {
      box.hidden = !on || !url;
    },
    show(jpeg) {
      if (url) URL.revokeObjectURL(url);
      url = URL.createObjectURL(jpeg);
      for (const image of images) image.src = url;
      box.hidden = false;
    },
  };
}
