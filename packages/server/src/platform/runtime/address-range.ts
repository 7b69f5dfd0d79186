import { isIP } from 'node:net';

/** True for an IP address or a CIDR range of either version. */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  // A zone (fe80::1%eth0) names an interface of one machine, so it cannot identify a client.
  if (version === 0 || rest.length > 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32);
}
