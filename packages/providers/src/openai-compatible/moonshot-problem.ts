import { objectAt, textAt, UpstreamProblem } from '@headgate/dialects';

const emptyPurse = 'exceeded_current_quota_error';

/** Moonshot returns 429 for an account without credit, but waiting does not help. */
export function readMoonshotProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(body, 'error');
  if (textAt(error, 'type') !== emptyPurse) return undefined;
  return new UpstreamProblem(402, textAt(error, 'message') || 'The upstream account has no credit left', emptyPurse);
}
