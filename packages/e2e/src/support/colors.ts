/**
 * Name of an element's background color on a white page. Runs in the browser (`locator.evaluate`), so it must not use
 * outer variables.
 */
export function colorOf(element: Element): string {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) throw new Error('This browser cannot draw');
  for (const colour of ['white', getComputedStyle(element).backgroundColor]) {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  const max = Math.max(red, green, blue);
  const spread = max - Math.min(red, green, blue);
  if (spread < 12) return 'gray';
  if (max === blue) return 'blue';
  const hue = max === red ? (60 * (green - blue)) / spread : 120 + (60 * (blue - red)) / spread;
  if (hue < 20) return 'red';
  if (hue < 57) return 'yellow';
  return hue < 80 ? 'olive' : 'green';
}
