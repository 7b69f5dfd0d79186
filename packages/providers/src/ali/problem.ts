import { objectAt, textAt, UpstreamProblem } from '@headgate/dialects';

/** DashScope's error codes. Its statuses are too coarse: for example, 400 for an exhausted account. */
const statuses: readonly (readonly [word: RegExp, status: number])[] = [
  [/^invalid_?api_?key/i, 401],
  [/^Arrearage|FreeTierOnly/i, 402],
  [/AccessDenied/i, 403],
  [/^Throttling|^limit_requests|^LimitRequests|^insufficient_quota/i, 429],
  [/^data_?inspection_?failed|^InvalidParameter|^invalid_parameter|^InvalidURL/i, 400],
  [/^ModelNotFound|^model_not_found/i, 404],
  [/^ServiceUnavailable|^ModelUnavailable|^ModelServ/i, 503],
  [/^InternalError|^internal_error|^SystemError/i, 502],
];

/** At other vendors this code means an exhausted account; at DashScope it means too many tokens per minute. */
const tokensPerMinute = 'insufficient_quota';

/** An error under `error` or, in the native format, at the top level. */
export function readAliProblem(status: number, body: unknown): UpstreamProblem | undefined {
  const nested = objectAt(body, 'error');
  const source = textAt(nested, 'code') === '' ? body : nested;
  const code = textAt(source, 'code');
  if (code === '') return undefined;
  const known = statuses.find(([word]) => word.test(code));
  return new UpstreamProblem(
    known?.[1] ?? status,
    textAt(source, 'message') || `The upstream returned ${code}`,
    code === tokensPerMinute ? 'Throttling.AllocationQuota' : code,
  );
}
