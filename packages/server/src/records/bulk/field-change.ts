import { type BulkFieldChange, splitCommas } from '@headgate/contract';

const maxTextLength = 200;
const maxNames = 50;

/** Change of a text or number. */
export const valueChange = (field: string, before: unknown, after: unknown): BulkFieldChange => ({
  field,
  before: cut(String(before)),
  after: cut(String(after)),
  added: [],
  removed: [],
});

/** Change of a comma-separated list. If only the order changes, shows the first entries of both lists. */
export function listChange(field: string, before: string, after: string): BulkFieldChange {
  const old = splitCommas(before);
  const next = splitCommas(after);
  const [wasThere, isThere] = [new Set(old), new Set(next)];
  const added = next.filter((name) => !wasThere.has(name));
  const removed = old.filter((name) => !isThere.has(name));
  if (added.length + removed.length === 0) return valueChange(field, before, after);
  return { field, before: '', after: '', added: few(added), removed: few(removed) };
}

/** The change as text for the log. */
export const changeText = ({ field, before, after, added, removed }: BulkFieldChange): string =>
  added.length + removed.length > 0
    ? `${field} ${[...added.map((name) => `+${name}`), ...removed.map((name) => `−${name}`)].join(' ')}`
    : `${field} ${quoted(before)} → ${quoted(after)}`;

const quoted = (text: string): string => (text === '' || /\s/.test(text) ? JSON.stringify(text) : text);

const few = (names: readonly string[]): string[] =>
  names.length > maxNames ? [...names.slice(0, maxNames), `… (${names.length - maxNames})`] : [...names];

const cut = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '')}…` : text;
