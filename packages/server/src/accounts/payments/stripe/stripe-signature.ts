import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older callbacks may be replays. */
const toleranceSeconds = 300;

interface SignedText {
  readonly header: string;
  readonly body: string;
  /** Several secrets while one is being rotated. */
  readonly secrets: readonly string[];
  readonly now: number;
}

/** Reason why the `Stripe-Signature` header does not match the body; undefined if it does. */
export function signatureFault({ header, body, secrets, now }: SignedText): string | undefined {
  if (secrets.length === 0) return 'no webhook secret is set';
  const parts = header.split(',').map((part) => part.trim().split('='));
  const times = parts.flatMap(([name, value]) => (name === 't' ? [value ?? ''] : []));
  const [time = ''] = times;
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return 'the signature has no time';
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value !== undefined ? [value] : []));
  const isSigned = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
    return given.some((text) => isEqual(expected, text));
  });
  if (!isSigned) return 'no signature matches';
  return Math.abs(now - Number(time)) > toleranceSeconds ? 'the callback is too old' : undefined;
}

function isEqual(expected: Buffer, hex: string): boolean {
  return /^[0-9a-f]{64}$/.test(hex) && timingSafeEqual(expected, Buffer.from(hex, 'hex'));
}
