import { randomBytes } from 'node:crypto';

const numberBytes = 10;

/** The date and 80 random bits, in at most 32 characters, a limit of some providers. */
export function newOrderNumber(now: number): string {
  const date = new Date(now * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  return `${date}${randomBytes(numberBytes).toString('hex')}`;
}
