import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { isIPv6 } from 'node:net';

type Done = (error: Error | null, found: string | LookupAddress[], family: number) => void;

/** Overrides DNS resolution in a test for every new connection; other names resolve as usual. Must be disposed. */
export function stubDns(addressesOf: (name: string) => readonly string[] | undefined): Disposable {
  const { lookup } = dns;
  const standIn = (name: string, options: LookupOptions, done: Done): void => {
    const addresses = addressesOf(name);
    if (!addresses) {
      lookup(name, options, done);
      return;
    }
    const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const [first] = found;
    if (!first) process.nextTick(done, Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), '', 0);
    else if (options.all) process.nextTick(done, null, found, 0);
    else process.nextTick(done, null, first.address, first.family);
  };
  Object.assign(dns, { lookup: standIn });
  return { [Symbol.dispose]: () => Object.assign(dns, { lookup }) };
}
