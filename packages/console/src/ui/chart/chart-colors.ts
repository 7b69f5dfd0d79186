const shade = (name: string, light: number, dark: number): string =>
  `light-dark(var(--mantine-color-${name}-${light}), var(--mantine-color-${name}-${dark}))`;

/** Colors of series without a fixed meaning, in this order. */
const seriesColors = [
  shade('indigo', 6, 5),
  shade('teal', 6, 5),
  shade('orange', 6, 5),
  shade('grape', 6, 4),
  shade('cyan', 7, 5),
  shade('pink', 6, 4),
  shade('lime', 7, 6),
  shade('yellow', 7, 5),
  shade('blue', 4, 3),
  shade('red', 5, 4),
];

export const othersColor = shade('gray', 5, 6);
export const mainColor = shade('indigo', 5, 5);
export const failureColor = shade('red', 6, 5);

export const seriesColor = (index: number): string => seriesColors[index % seriesColors.length] ?? othersColor;
