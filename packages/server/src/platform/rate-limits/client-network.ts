import { isIPv4, isIPv6 } from 'node:net';

const maxKeyLength = 64;

/**
 * Rate limit key of a client: its IPv4 address, or the /64 network of its IPv6 address, because each client has 2⁶⁴
 * addresses. Any other text from a trusted proxy is used unchanged.
 */
export function clientNetwork(address: string): string {
  const [withoutZone = ''] = address.split('%');
  if (isIPv4(withoutZone) || !isIPv6(withoutZone)) return address.slice(0, maxKeyLength);
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

/** The eight groups of an IPv6 address in any notation. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = withoutDots(address).split('::');
  const left = numbersIn(head);
  const right = numbersIn(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

const numbersIn = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));

/** Converts an IPv4 suffix of an IPv6 address to hexadecimal. */
function withoutDots(address: string): string {
  const start = address.lastIndexOf(':') + 1;
  const bytes = address.slice(start).split('.').map(Number);
  if (bytes.length !== 4) return address;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return `${address.slice(0, start)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
