import { numberAt, objectAt, textAt, UpstreamProblem } from '@headgate/dialects';

/** Prefixes of Tencent Cloud's error codes, most specific first. */
const statuses: readonly (readonly [word: RegExp, status: number])[] = [
  [/^AuthFailure|UserUnAuth/, 401],
  [/^UnauthorizedOperation/, 403],
  [/InArrears|ResourcePackExhausted|^ResourceInsufficient|ServiceNotActivated|ServiceStop/, 402],
  [/LimitExceeded|^LimitExceeded/, 429],
  [/^(?:InvalidParameter|MissingParameter|UnknownParameter|UnsupportedOperation|OperationDenied|InvalidRequest)/, 400],
  [/^ServiceUnavailable|^ResourceUnavailable/, 503],
];

/** Tencent Cloud returns 200 with the error in the body; errors during a stream are in a different field. */
export function readTencentProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(objectAt(body, 'Response'), 'Error');
  const code = textAt(error, 'Code');
  if (code !== '') {
    const status = statuses.find(([word]) => word.test(code))?.[1] ?? 502;
    return new UpstreamProblem(status, textAt(error, 'Message') || `The upstream returned ${code}`, code);
  }
  const broken = objectAt(body, 'ErrorMsg');
  const message = textAt(broken, 'Msg');
  return message === '' ? undefined : new UpstreamProblem(502, message, String(numberAt(broken, 'Code') ?? ''));
}
