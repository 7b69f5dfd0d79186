type Header = string | readonly string[] | undefined;

interface ResponseHeaders {
  readonly 'retry-after'?: Header;
  readonly date?: Header;
}

const maxSecondsLength = 999_999;
const seconds = /^(\d{1,6})(?:\.\d{1,6})?$/;
/**
 * The current format and the two obsolete ones that parsers must accept: `Sun, 06 Nov 1994 …`, `Sunday, 06-Nov-94 …`,
 * `Sun Nov 6 …`.
 */
const date =
  /^[A-Z][a-z]{2,8}(?:, \d\d[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d:\d\d:\d\d GMT| [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * Seconds of a Retry-After header, given as a number or a date; undefined when it is unreadable or in the past. A
 * date is compared with the sender's `Date` header if present, because clocks may differ by more than the wait.
 */
export function readRetryAfter(headers: ResponseHeaders, nowMs: number): number | undefined {
  const { 'retry-after': told } = headers;
  if (typeof told !== 'string') return undefined;
  if (seconds.test(told)) return Math.ceil(Number(told));
  const then = readDate(told);
  if (then === undefined) return undefined;
  const wait = Math.ceil((then - (readDate(headers.date) ?? nowMs)) / 1000);
  return wait > 0 ? Math.min(wait, maxSecondsLength) : undefined;
}

function readDate(words: Header): number | undefined {
  if (typeof words !== 'string' || !date.test(words)) return undefined;
  const ms = Date.parse(words.endsWith('GMT') ? words : `${words} GMT`);
  return Number.isFinite(ms) ? ms : undefined;
}
