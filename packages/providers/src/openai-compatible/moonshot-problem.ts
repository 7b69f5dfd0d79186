import { objectAt, textAt, UpstreamProblem } from '@headgate/dialects';

const emptyPurse = 'exceeded_current_quota_error';

/** Moonshot says "too many requests" of an account without money, which no waiting fills. */
export function readMoonshotProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(body, 'error');
  if (textAt(error, 'type') !== emptyPurse) return undefined;
  return new UpstreamProblem(402, textAt(error, 'message') || 'The account has no money left', emptyPurse);
}
