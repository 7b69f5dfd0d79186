import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isForbiddenHost } from './forbidden-address.ts';

const closed = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  closed.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  closed.addSubnet(network, prefix, 'ipv6');
}

/** IPv6 space allocated to the public internet; all other addresses are special. */
const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');

/** True if an address is on the public internet and does not reach this machine or its network. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPublicAddress(mapped);
  const family = isIP(address);
  if (family === 0 || address.includes('%') || isForbiddenHost(address)) return false;
  if (family === 4) return !closed.check(address, 'ipv4');
  return given.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** Resolves names to public addresses only, when connecting, which prevents DNS rebinding. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const open = error ? [] : addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = open;
    if (error || !first) done(error ?? Object.assign(new Error('closed'), { code: 'ENOTFOUND' }), '', 0);
    else if (options.all) done(null, open);
    else done(null, first.address, first.family);
  });
};
