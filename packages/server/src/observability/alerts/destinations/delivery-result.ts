import { parseJson } from '@headgate/dialects';
import type { DeliveryResult, DestinationResponse } from './destination-protocol.ts';

const later: ReadonlySet<number> = new Set([408, 425, 429]);

const mayRetryStatus = (status: number): boolean => status >= 500 || later.has(status);
const isFine = (status: number): boolean => status >= 200 && status < 300;

/** Decides by the HTTP status alone. */
export function resultByStatus({ status, text }: DestinationResponse): DeliveryResult {
  const detail = text.trim() === '' || text.trimStart().startsWith('<') ? '' : `: ${text}`;
  return { isAccepted: isFine(status), message: `HTTP ${status}${detail}`, mayRetry: mayRetryStatus(status) };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(text: string): Fields | undefined {
  const json = parseJson(text);
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : undefined;
}

interface CodedResponse {
  /** Field that reports success. */
  readonly field: string;
  readonly taken: unknown;
  /** Field with the error message. */
  readonly message: string;
  /** Values of `field` that mean rate limiting. */
  readonly retryCodes?: readonly unknown[];
}

/** Decides by the response body: many services return errors with status 200. */
export const resultByFields =
  ({ field, taken, message, retryCodes = [] }: CodedResponse) =>
  (response: DestinationResponse): DeliveryResult => {
    const fields = fieldsOf(response.text);
    if (!fields || !Object.hasOwn(fields, field)) {
      const { message: detail, mayRetry } = resultByStatus(response);
      return { isAccepted: false, message: `unexpected response (${detail})`, mayRetry };
    }
    const code = fields[field];
    const detail = typeof fields[message] === 'string' ? fields[message] : '';
    return {
      isAccepted: isFine(response.status) && code === taken,
      message: [`HTTP ${response.status}`, `${field} ${String(code)}`, detail].filter((part) => part !== '').join(', '),
      mayRetry: mayRetryStatus(response.status) || retryCodes.includes(code),
    };
  };
