/** A decimal number of any precision: `digits` shifted by `scale` places to the right. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** For quotients and stored amounts. Twice the digits of a double, so that a ratio converts back exactly. */
const precisionDigits = 34;
/** Digits that rounding errors in the stored digits cannot reach. */
const sureDigits = 25;
/** Maximum number of digits of a double. */
const doubleDigits = 17;
/** For quotients that no double represents exactly. */
const quotientDigits = 12;

/** Parses the string form of a non-negative number. */
export function parseDecimal(value: number | string): Decimal {
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value));
  if (!parts) throw new RangeError(`Not a decimal number: ${value}`);
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

export const isZero = ({ digits }: Decimal): boolean => digits === 0n;

export const multiply = (one: Decimal, other: Decimal): Decimal => ({
  digits: one.digits * other.digits,
  scale: one.scale + other.scale,
});

export function divide(one: Decimal, other: Decimal): Decimal {
  const shift = Math.max(0, precisionDigits + lengthOf(other) - lengthOf(one));
  const digits = one.digits * 10n ** BigInt(shift);
  return { digits: (digits + other.digits / 2n) / other.digits, scale: one.scale + shift - other.scale };
}

/** In full, without an exponent. */
export function formatDecimal(value: Decimal): string {
  const { digits, scale } = rounded(value, precisionDigits);
  if (scale <= 0) return String(digits * 10n ** BigInt(-scale));
  const text = String(digits).padStart(scale + 1, '0');
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** The exact number if a double can represent it, otherwise rounded to 12 digits. */
export function decimalToNumber(value: Decimal): number {
  const sure = rounded(value, sureDigits);
  const number = Number(`${sure.digits}e${-sure.scale}`);
  return lengthOf(sure) <= doubleDigits ? number : Number(number.toPrecision(quotientDigits));
}

const lengthOf = ({ digits }: Decimal): number => String(digits).length;

/** Without trailing zeros. */
function rounded(value: Decimal, max: number): Decimal {
  const excess = BigInt(Math.max(0, lengthOf(value) - max));
  const unit = 10n ** excess;
  let digits = (value.digits + unit / 2n) / unit;
  let scale = value.scale - Number(excess);
  if (digits === 0n) return { digits, scale: 0 };
  while (digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return { digits, scale };
}
