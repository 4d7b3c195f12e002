// The store's plan with one's own place on it, where the study shows it.

export function minimap(box) {
  const image = box.querySelector("img");
  let url = null;
  return {
    allow(on) {
      box.hidden = !on || !url;
    },
    show(jpeg) {
      if (url) URL.revokeObjectURL(url);
      url = URL.createObjectURL(jpeg);
      image.src = url;
      box.hidden = false;
    },
  };
}
