const fewest = 2;
const max = 6;

/** Fewest decimals with which the amount does not round to zero. */
const amountDecimals = (amount: number): number => (amount === 0 ? 0 : Math.ceil(-Math.log10(2 * Math.abs(amount))));

/** Decimals of the amount without trailing zeros, with at most four significant digits. */
function priceDecimals(amount: number): number {
  const [, decimals = ''] = Number(amount.toPrecision(4)).toFixed(max).split('.');
  return decimals.replaceAll(/0{1,6}$/g, '').length;
}

const atLeastTwo = (decimals: readonly number[]): number => Math.min(max, Math.max(fewest, ...decimals));

/** Decimals for a column of amounts: two, or more if an amount would round to zero. */
export const columnDecimals = (amounts: readonly number[]): number => atLeastTwo(amounts.map(amountDecimals));

/** Decimals for a column of prices: as many as the most exact one needs. */
export const priceColumnDecimals = (prices: readonly number[]): number => atLeastTwo(prices.map(priceDecimals));
