type Header = string | readonly string[] | undefined;

interface AnswerHeaders {
  readonly 'retry-after'?: Header;
  readonly date?: Header;
}

const longestSeconds = 999_999;
const seconds = /^(\d{1,6})(?:\.\d{1,6})?$/;
/** The form in use and the two old ones that every reader must know: `Sun, 06 Nov 1994 …`, `Sunday, 06-Nov-94 …`, `Sun Nov  6 …`. */
const date =
  /^[A-Z][a-z]{2,8}(?:, \d\d[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d:\d\d:\d\d GMT| [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * Seconds for which somebody wants to be left alone, told as a number or as a date; undefined where nothing is told that can
 * be understood, or is over. A date is by the clock of whoever tells it, if that is told too: clocks differ, and a wait of seconds would not
 * survive that.
 */
export function readRetryAfter(headers: AnswerHeaders, nowMs: number): number | undefined {
  const { 'retry-after': told } = headers;
  if (typeof told !== 'string') return undefined;
  if (seconds.test(told)) return Math.ceil(Number(told));
  const then = readDate(told);
  if (then === undefined) return undefined;
  const wait = Math.ceil((then - (readDate(headers.date) ?? nowMs)) / 1000);
  return wait > 0 ? Math.min(wait, longestSeconds) : undefined;
}

function readDate(words: Header): number | undefined {
  if (typeof words !== 'string' || !date.test(words)) return undefined;
  const ms = Date.parse(words.endsWith('GMT') ? words : `${words} GMT`);
  return Number.isFinite(ms) ? ms : undefined;
}
