/** Wildcard for any number of characters; a pattern has at most one. */
const wildcard = '*';

export const isPattern = (text: string): boolean => text.includes(wildcard);

/** True if a string is a valid pattern: more than one star would make matches ambiguous. */
export const isModelPattern = (text: string): boolean => text.split(wildcard).length <= 2;

/** Text matched by the star; empty without a star; undefined if the name does not match. */
export function wildcardMatch(pattern: string, name: string): string | undefined {
  const star = pattern.indexOf(wildcard);
  if (star < 0) return pattern === name ? '' : undefined;
  const end = pattern.slice(star + 1);
  const isMatch = name.length >= pattern.length - 1 && name.startsWith(pattern.slice(0, star)) && name.endsWith(end);
  return isMatch ? name.slice(star, name.length - end.length) : undefined;
}

/** Replaces the star in a target with the text matched by the pattern's star. */
export const fillWildcard = (target: string, match: string): string => target.replace(wildcard, () => match);

/** True if the first is more specific: an exact name over a pattern, a longer pattern over a shorter one. */
export const isMoreSpecific = (one: string, other: string): boolean =>
  isPattern(one) === isPattern(other) ? one.length > other.length : !isPattern(one);
