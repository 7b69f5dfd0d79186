import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
// Metadata services outside the link-local range: Alibaba, Oracle, Azure.
for (const address of ['100.100.100.200', '192.0.0.192', '168.63.129.16']) forbidden.addAddress(address, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
// Metadata services over IPv6: Amazon's, including its pod credentials, then Google's, Oracle's and Scaleway's.
forbidden.addSubnet('fd00:ec2::', 32, 'ipv6');
for (const address of ['fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42']) forbidden.addAddress(address, 'ipv6');

const forbiddenNames = [
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
];

/**
 * True if a host is known to expose credentials of the machine or its cloud account; no configured URL may point to it.
 * Names that are not listed must still be checked by their resolved address.
 */
export function isForbiddenHost(host: string): boolean {
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (isIP(name) !== 0) return isForbiddenAddress(name);
  return forbiddenNames.some((metadata) => name === metadata || name.endsWith(`.${metadata}`));
}

/** Host as a URL parser reads it, for example an address for hexadecimal numbers; undefined if invalid. */
export const normalizedHost = (host: string): string | undefined =>
  URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname.replace(/^\[|\]$/g, '');

function isForbiddenAddress(text: string): boolean {
  const [address = ''] = text.split('%');
  if (isIP(address) === 4) return forbidden.check(address, 'ipv4');
  return forbidden.check(address, 'ipv6') || ipv4Within(address).some((within) => forbidden.check(within, 'ipv4'));
}

/**
 * Prefixes of IPv6 addresses that embed an IPv4 address, in hexadecimal digits, with the position of the embedded
 * address.
 */
const carriers: readonly (readonly [beginning: string, at: number])[] = [
  ['0'.repeat(24), 24],
  [`${'0'.repeat(20)}ffff`, 24],
  [`${'0'.repeat(16)}ffff0000`, 24],
  [`0064ff9b${'0'.repeat(16)}`, 24],
  ['0064ff9b0001', 24],
  ['2002', 4],
];

/**
 * A network-specific NAT64 prefix may end at several positions; the octet in the middle is never part of the address.
 */
const nat64: readonly number[] = [12, 14, 16];

const teredo = '20010000';

/** IPv4 addresses that an IPv6 address may lead to through a tunnel or a translator. */
function ipv4Within(address: string): readonly string[] {
  const digits = digitsOf(address);
  const found = carriers
    .filter(([beginning]) => digits.startsWith(beginning))
    .map(([, at]) => digits.slice(at, at + 8));
  const withoutMiddle = digits.slice(0, 16) + digits.slice(18);
  if (digits.startsWith('0064ff9b0001')) found.push(...nat64.map((at) => withoutMiddle.slice(at, at + 8)));
  if (digits.startsWith(teredo))
    found.push((~Number.parseInt(digits.slice(24), 16) >>> 0).toString(16).padStart(8, '0'));
  return found.map((hex) => Buffer.from(hex, 'hex').join('.'));
}

/** The 32 hexadecimal digits of an IPv6 address. */
function digitsOf(address: string): string {
  const [before = '', after = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === '' ? [] : after.split(':');
  const zeros = Array<string>(8 - left.length - right.length).fill('');
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join('');
}

/** Error code of a connection that is not allowed; contains no address. */
export const forbiddenErrorCode = 'FORBIDDEN';

const forbiddenError = () => Object.assign(new Error('the address is not allowed'), { code: forbiddenErrorCode });

/**
 * Resolves a name when connecting, and connects to exactly the address that was checked, which prevents DNS rebinding.
 * Hosts given as addresses are not resolved; `isForbiddenHost` checks them.
 */
export const guardedLookup: LookupFunction = (hostname, options, done) => {
  if (isForbiddenHost(hostname)) {
    done(forbiddenError(), '', 0);
    return;
  }
  dns.lookup(hostname, options, (error, found, family) => {
    const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
    if (!error && addresses.some(isForbiddenHost)) done(forbiddenError(), '', 0);
    else done(error, found, family);
  });
};
