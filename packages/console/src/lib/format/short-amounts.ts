type EventValues = Readonly<Record<string, string | number>>;

/** Amounts in sentences have six decimals; zeros after the second one are left out. */
export const withShortAmounts = (values: EventValues): EventValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(/(\$-?[\d,]+\.\d\d\d*?)0*(?!\d)/g, '$1') : value,
    ]),
  );
