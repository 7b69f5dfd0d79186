/**
 * Check ids in square brackets of a title: `[S2.44 S2.45] login`, `[S2.86-93, A7.1] lists`. Malformed ids are
 * returned unchanged, so that they are reported as unknown.
 */
export function namedIds(title: string): string[] {
  return [...title.matchAll(/\[([SA]\d[^\]]*)\]/g)].flatMap(([, inside = '']) =>
    inside
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .flatMap(expanded),
  );
}

function expanded(word: string): string[] {
  const range = /^([SA]\d+)\.(\d+)-(?:\1\.)?(\d+)$/.exec(word);
  if (range === null) return [word];
  const [, section, first, last] = range;
  const count = Number(last) - Number(first) + 1;
  return count < 1 ? [word] : Array.from({ length: count }, (_, index) => `${section}.${Number(first) + index}`);
}
