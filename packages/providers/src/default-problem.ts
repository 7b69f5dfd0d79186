import { isErrorStatus, readOpenaiUsage, type UnverifiedUsage, UpstreamProblem, type Usage } from '@headgate/dialects';
import type { JsonObject } from './provider.ts';

/** Default message for an error without a message. */
export const defaultMessage = (status: number): string => `The upstream returned status ${status}`;

/** Reads an error in the most common formats: under `error` or at the top level. */
export function defaultProblem(status: number, body: unknown, fallbackMessage = defaultMessage(status)) {
  const top = objectIn(Array.isArray(body) ? body[0] : body);
  const error = top?.['error'];
  if (typeof error === 'string' && error !== '')
    return new UpstreamProblem(status, textIn(top, ['message', 'error_description']) ?? error, error);
  const source = objectIn(error) ?? firstOf(top?.['errors']) ?? top;
  const code = source?.['code'] ?? source?.['error_code'];
  return new UpstreamProblem(
    status,
    textIn(source, ['message', 'msg', 'error_msg', 'detail', 'Message']) ?? fallbackMessage,
    typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    textIn(source, ['type']) ?? 'upstream_error',
  );
}

/** Error of a response or an event in the `error` field; undefined without an error. */
export const errorIn = ({ error }: JsonObject): unknown => error || undefined;

/** Reads an error inside a 200, which may contain its real status and usage. */
export function errorInSuccess(body: unknown, fallbackMessage?: string): UpstreamProblem {
  const problem = defaultProblem(statusInside(body), body, fallbackMessage);
  problem.usage = usageBesideError(body);
  return problem;
}

/** Like `errorInSuccess`, for an error in another field of the response. */
export const problemFrom = (body: JsonObject, error: unknown, fallbackMessage?: string): UpstreamProblem =>
  errorInSuccess({ ...body, error }, fallbackMessage);

/** Status of an error inside a 200: a server error, unless the body contains a status or a content filter code. */
function statusInside(body: unknown): number {
  const top = objectIn(body);
  const error = objectIn(top?.['error']);
  const reported = [error, top].flatMap((source) => statusFields.map((name) => numberOf(source?.[name])));
  const status = reported.find(isErrorStatus);
  if (status !== undefined) return status;
  const text = [error?.['code'], error?.['type'], top?.['code'], top?.['type']];
  return text.some(isContentFilterCode) ? rejection : broken;
}

/** True if `code` or `type` is a provider's content filter code. The whole value must match. */
export const isContentFilterCode = (word: unknown): boolean =>
  typeof word === 'string' && filterCodes.has(word.toLowerCase());

/** True if an event in an image or audio stream is an error; `name` is the event's name, if any. */
export const isMediaError = (event: unknown, name: string): boolean =>
  name === 'error' || objectIn(event)?.['type'] === 'error' || Boolean(objectIn(event)?.['error']);

/** Marker of a line that may be an error. */
export const mediaErrorMarker = '"error"';

/**
 * True if a stream event without content and usage is an error in an unknown format. Empty events such as keep-alives
 * are not errors.
 */
export function isErrorEvent(event: unknown): boolean {
  const top = objectIn(event);
  if (!top || top['choices'] !== undefined || objectIn(top['usage'])) return false;
  return errorMarks.some((isMarked) => isMarked(top));
}

const errorMarks: readonly ((top: JsonObject) => unknown)[] = [
  (top) => firstOf(top['errors']) || top['error_code'] || top['error_msg'],
  (top) => top['success'] === false,
  (top) => stateFields.some((name) => top[name] === 'error' || top[name] === 'failed'),
  (top) => numberOf(objectIn(top['base_resp'])?.['status_code'] ?? 0) !== 0,
  (top) => textIn(top, ['detail']),
  (top) =>
    textIn(top, ['message', 'msg', 'Message']) && statusFields.some((name) => isErrorStatus(numberOf(top[name]))),
];

/**
 * Converts a number or a numeric string to a number, anything else to NaN. Objects are excluded because converting
 * them may throw.
 */
const numberOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;

const stateFields = ['object', 'type', 'event', 'status'];
const statusFields = ['code', 'status', 'status_code', 'statusCode', 'http_code'];
const rejection = 400;
const broken = 502;

/** Content filter codes. Another channel would reject the request too. */
const filterCodes: ReadonlySet<string> = new Set([
  'content_filter',
  'content_filter_error',
  'content_policy_violation',
  'responsibleaipolicyviolation',
  'data_inspection_failed',
  'datainspectionfailed',
  'moderation_blocked',
  'prompt_blocked',
]);

const maxTokens = 1_000_000_000;

/** Usage next to an error, in OpenAI's format. */
export function usageBesideError(body: unknown): Usage | undefined {
  return plausibleUsage(readOpenaiUsage(objectIn(body)?.['usage']));
}

/** The reported usage, if both counts are plausible and not zero. */
export function plausibleUsage(claim: UnverifiedUsage | undefined): Usage | undefined {
  const promptTokens = claim?.promptTokens ?? 0;
  const completionTokens = claim?.completionTokens ?? 0;
  const isSane = isCount(promptTokens) && isCount(completionTokens) && promptTokens + completionTokens > 0;
  return isSane ? { promptTokens, completionTokens } : undefined;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= maxTokens;

const objectIn = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

const firstOf = (value: unknown) => (Array.isArray(value) ? objectIn(value[0]) : undefined);

function textIn(source: JsonObject | undefined, names: readonly string[]): string | undefined {
  const found = names.map((name) => source?.[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : undefined;
}
