import { isIPv4, isIPv6 } from 'node:net';

const longestKey = 64;

/**
 * What a client is counted by: its IPv4 address, or the /64 of its IPv6 address, of which anybody has 2⁶⁴. What a
 * trusted proxy wrote in place of an address stands for itself.
 */
export function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%');
  if (isIPv4(withoutZone) || !isIPv6(withoutZone)) return address.slice(0, longestKey);
  const groups = groupsOf(withoutZone);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an IPv6 address, however it is spelt. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = withoutDots(address).split('::');
  const left = numbersIn(head);
  const right = numbersIn(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

const numbersIn = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));

/** An IPv6 address in hexadecimal throughout: its last four bytes may be written as an IPv4 address is. */
function withoutDots(address: string): string {
  const start = address.lastIndexOf(':') + 1;
  const bytes = address.slice(start).split('.').map(Number);
  if (bytes.length !== 4) return address;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${address.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
