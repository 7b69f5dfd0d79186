import { objectAt, textAt, UpstreamProblem } from '@headgate/dialects';

/** Codes with a misleading status: an exhausted account is reported as 429. */
const statuses: Readonly<Record<string, number>> = {
  '1000': 401,
  '1001': 401,
  '1002': 401,
  '1003': 401,
  '1004': 401,
  '1112': 403,
  '1113': 402,
};

export function readZhipuProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(body, 'error');
  const code = textAt(error, 'code');
  const status = statuses[code];
  if (status === undefined) return undefined;
  return new UpstreamProblem(status, textAt(error, 'message') || `The upstream returned code ${code}`, code);
}
