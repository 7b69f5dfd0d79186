import { BlockList, isIP } from 'node:net';
import { splitCommas } from '@headgate/contract';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address in IPv6 clothes is the IPv4 address. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Says of an address whether it lies in one of the networks. */
export function subnetCheck(subnets: string): (address: string) => boolean {
  const networks = new BlockList();
  for (const subnet of splitCommas(subnets)) {
    const [address = '', bits] = subnet.split('/');
    if (bits === undefined) networks.addAddress(plain(address), familyOf(plain(address)));
    else networks.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => networks.check(plain(address), familyOf(plain(address)));
}
