import { type ModelPrice, type PriceChange, type PricePart, partsOfUnit, priceParts } from '@headgate/contract';

/** Parses an amount such as "1.25" or "$ 1,250.5"; undefined if invalid. */
export function parseAmount(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/^\$\s*/, '')
    .replaceAll(',', '');
  return /^\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

/** Escapes formulas, separators and line breaks. */
const csvLine = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell) => {
      const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
      return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',');

const heads = ['model', ...priceParts] as const;

/** All prices as CSV that can be imported again. */
export const priceTable = (rows: readonly ModelPrice[]): string =>
  [
    csvLine(heads),
    ...rows
      .filter(({ source }) => source !== 'none')
      .map(({ model, unit, price }) =>
        csvLine([model, ...priceParts.map((part) => (partsOfUnit(unit).includes(part) ? price[part] : ''))]),
      ),
  ].join('\n');

interface ReadLine {
  readonly line: number;
  readonly text: string;
}

interface PastedPrices {
  readonly changes: readonly PriceChange[];
  /** Invalid lines. */
  readonly odd: readonly ReadLine[];
}

/**
 * Parses lines with a model and dollar amounts, separated by commas, tabs or spaces, or a JSON object keyed by model
 * name.
 */
export function parsePastedPrices(text: string): PastedPrices {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return readJson(trimmed);
  const changes: PriceChange[] = [];
  const odd: ReadLine[] = [];
  for (const [index, line] of trimmed.split('\n').entries()) {
    if (line.trim() === '' || /^"?model"?\b/i.test(line.trim())) continue;
    const change = readLine(line);
    if (change) changes.push(change);
    else odd.push({ line: index + 1, text: line.trim().slice(0, 100) });
  }
  return { changes, odd };
}

function readLine(line: string): PriceChange | undefined {
  const separator = line.includes('\t') ? '\t' : line.includes(',') ? ',' : /\s+/;
  const [name = '', ...cells] = line
    .trim()
    .split(separator)
    .map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .replace(/^'/, ''),
    );
  const amounts = cells.slice(0, priceParts.length).map((cell) => (cell === '' ? null : parseAmount(cell)));
  if (name === '' || amounts[0] == null || amounts.includes(undefined)) return undefined;
  return changeOf(name, (part) => amounts[priceParts.indexOf(part)] ?? undefined);
}

function readJson(text: string): PastedPrices {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    const changes = entries.map(([model, parts]) =>
      changeOf(model, (part) => numberIn((parts as Record<string, unknown> | null)?.[part])),
    );
    const odd = entries
      .filter((_, index) => !changes[index])
      .map(([model]) => ({ line: 0, text: model.slice(0, 100) }));
    return { changes: changes.filter((change) => change !== undefined), odd };
  } catch {
    return { changes: [], odd: [{ line: 1, text: text.slice(0, 100) }] };
  }
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

function changeOf(model: string, amountOf: (part: PricePart) => number | undefined): PriceChange | undefined {
  const input = amountOf('input');
  if (input === undefined) return undefined;
  const given = priceParts.flatMap((part) => {
    const amount = amountOf(part);
    return amount === undefined ? [] : [[part, amount] as const];
  });
  return { model, price: { ...Object.fromEntries(given), input } };
}

export interface Difference {
  readonly model: string;
  readonly part: PricePart;
  /** Undefined without a previous price. */
  readonly before: number | undefined;
  readonly after: number;
}

/** Changed price components. */
export function differencesOf(changes: readonly PriceChange[], rows: readonly ModelPrice[]): readonly Difference[] {
  const known = new Map(rows.map((row) => [row.model, row]));
  return changes.flatMap(({ model, price }) => {
    const row = known.get(model);
    const now = row?.source === 'none' ? undefined : row?.price;
    return priceParts.flatMap((part) => {
      const after = price?.[part];
      return after === undefined || after === now?.[part] ? [] : [{ model, part, before: now?.[part], after }];
    });
  });
}
