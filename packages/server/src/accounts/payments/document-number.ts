const digits = 6;

/** Number of an invoice or credit note, such as `RE-2026-000017`; empty without a sequence number. */
export function documentNumber(prefix: string, seq: number): string {
  if (seq === 0) return '';
  return `${prefix === '' ? '' : `${prefix}-`}${String(seq).padStart(digits, '0')}`;
}

/** Prefix and sequence number of such a number; undefined if it is none. */
export function parseDocumentNumber(text: string): { readonly prefix: string; readonly seq: number } | undefined {
  const { prefix = '', seq = '' } = /^(?:(?<prefix>.+)-)?(?<seq>\d{6,15})$/.exec(text)?.groups ?? {};
  return seq === '' ? undefined : { prefix, seq: Number(seq) };
}
