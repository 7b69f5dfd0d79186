/** Stands for any number of characters; a pattern has one at most. */
const anything = '*';

export const isPattern = (text: string): boolean => text.includes(anything);

/** At most one star: patterns with more would match in more than one way. */
export const isModelPattern = (text: string): boolean => text.split(anything).length <= 2;

/** What stands in a name where the pattern has its star; empty where it has none; undefined when it does not match. */
export function matchOf(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf(anything);
  if (star < 0) return pattern === name ? '' : undefined;
  const end = pattern.slice(star + 1);
  const isMatch = name.length >= pattern.length - 1 && name.startsWith(pattern.slice(0, star)) && name.endsWith(end);
  return isMatch ? name.slice(star, name.length - end.length) : undefined;
}

/** The name that a pattern's match is called by: its star stands for what the pattern's star stood for. */
export const withMatch = (target: string, match: string): string => target.replace(anything, () => match);

/** Whether the first says more than the second: a name before a pattern, and of two patterns the longer. */
export const isMoreExact = (one: string, other: string): boolean =>
  isPattern(one) === isPattern(other) ? one.length > other.length : !isPattern(one);
