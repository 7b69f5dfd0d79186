type EventValues = Readonly<Record<string, string | number>>;

function withoutZeros(amount: string): string {
  const shortest = amount.indexOf('.') + 3;
  let end = amount.length;
  while (end > shortest && amount[end - 1] === '0') end -= 1;
  return amount.slice(0, end);
}

/** Amounts in sentences have six decimals; trailing zeros after the second decimal are omitted. */
export const trimAmounts = (values: EventValues): EventValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/\$-?[\d,]+\.\d+/g, withoutZeros) : value,
    ]),
  );
