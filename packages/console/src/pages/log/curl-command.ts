import type { Log } from '@headgate/contract';
import type { LogDetail } from './log-detail.ts';

interface Sample {
  readonly path: string;
  readonly header: string;
  readonly body: object;
}

const message = [{ role: 'user', content: 'Hello' }];

/** A request to the same model by API format. The key is a placeholder, because the log contains none. */
const samples: Readonly<Record<string, (model: string) => Sample>> = {
  'openai-chat': (model) => ({
    path: '/v1/chat/completions',
    header: 'Authorization: Bearer $HEADGATE_TOKEN',
    body: { model, messages: message },
  }),
  'openai-responses': (model) => ({
    path: '/v1/responses',
    header: 'Authorization: Bearer $HEADGATE_TOKEN',
    body: { model, input: 'Hello' },
  }),
  'anthropic-messages': (model) => ({
    path: '/v1/messages',
    header: 'x-api-key: $HEADGATE_TOKEN',
    body: { model, max_tokens: 256, messages: message },
  }),
  gemini: (model) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    header: 'x-goog-api-key: $HEADGATE_TOKEN',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  }),
  'ollama-chat': (model) => ({
    path: '/api/chat',
    header: 'Authorization: Bearer $HEADGATE_TOKEN',
    body: { model, messages: message },
  }),
};

/** Model names come from clients, so everything is quoted for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Command that sends a request to the same model in the same API format. */
export function curlCommand(log: Log, { dialect, asked_model }: LogDetail, server: string): string {
  const sample = Object.hasOwn(samples, dialect) ? samples[dialect] : samples['openai-chat'];
  const { path = '', header = '', body = {} } = sample?.(asked_model || log.model_name) ?? {};
  return [
    `curl ${quoted(server + path)}`,
    // In double quotes, so that the shell inserts the key.
    `  -H "${header}"`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(log.is_stream && dialect !== 'gemini' ? { ...body, stream: true } : body))}`,
  ].join(' \\\n');
}
