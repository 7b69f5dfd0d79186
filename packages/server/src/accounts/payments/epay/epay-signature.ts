import { createHash, timingSafeEqual } from 'node:crypto';

/** MD5 signature: all fields except the signature and empty ones, sorted by name, followed by the key. */
export function epaySignature(fields: Readonly<Record<string, string>>, key: string): string {
  const signed = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return createHash('md5').update(`${signed}${key}`).digest('hex');
}

/** Reason why a notification's signature is invalid; undefined if it is valid. */
export function epaySignatureFault(fields: Readonly<Record<string, string>>, key: string): string | undefined {
  if (key === '') return 'no merchant key is set';
  const { sign = '', sign_type: type = 'MD5' } = fields;
  if (type.toUpperCase() !== 'MD5') return 'the signature is not MD5';
  const expected = Buffer.from(epaySignature(fields, key));
  const given = Buffer.from(sign.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected) ? undefined : 'no signature matches';
}

/**
 * Fields of a form. Undefined if a field is repeated or has an unexpected name, because such a signed text would be
 * ambiguous.
 */
export function epayFields(form: string): Readonly<Record<string, string>> | undefined {
  const entries = [...new URLSearchParams(form)];
  const names = new Set(entries.map(([name]) => name));
  const isPlain = entries.every(([name]) => /^\w{1,64}$/.test(name) && name !== '__proto__');
  return isPlain && names.size === entries.length && entries.length <= 50 ? Object.fromEntries(entries) : undefined;
}

/** Converts an amount in yuan to fen; undefined if it is not an amount. */
export function fenOf(money: string): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(money);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined;
}
