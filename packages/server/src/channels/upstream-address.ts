import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { withoutTrailingSlash } from '@headgate/contract';
import { Refusal } from '../refusal.ts';

/**
 * An admin's address in one spelling. It may be private (Ollama at home), but never one that hands out the
 * credentials of the machine or its cloud.
 */
export function upstreamAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/[^/]/i.test(text)) throw new Refusal('baseUrlInvalid');
  const { username, password, origin, pathname } = url;
  // Paths are appended to it: behind ? or # they would not be paths.
  if (username !== '' || password !== '' || /[?#]/.test(text)) throw new Refusal('baseUrlInvalid');
  if (isForbiddenHost(url.hostname)) throw new Refusal('baseUrlForbidden');
  return withoutTrailingSlash(`${origin}${pathname}`);
}

const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16, 'ipv4');
// Metadata services outside the link-local range: Alibaba, Oracle, Azure.
for (const address of ['100.100.100.200', '192.0.0.192', '168.63.129.16']) forbidden.addAddress(address, 'ipv4');
forbidden.addSubnet('fe80::', 10, 'ipv6');
// Those of AWS and Google over IPv6.
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) forbidden.addAddress(address, 'ipv6');
// 169.254/16 written as an IPv4-compatible, a NAT64 and a 6to4 address; the list knows mapped ones by itself.
forbidden.addSubnet('::a9fe:0', 112, 'ipv6');
forbidden.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
forbidden.addSubnet('2002:a9fe::', 32, 'ipv6');

const forbiddenNames = [
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
];

/** Expects a host as URL writes it: lower case, numbers in decimal dots, IPv6 in brackets. */
export function isForbiddenHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIPv4(name)) return forbidden.check(name, 'ipv4');
  if (isIPv6(name)) return forbidden.check(name, 'ipv6');
  return forbiddenNames.some((metadata) => name === metadata || name.endsWith(`.${metadata}`));
}
