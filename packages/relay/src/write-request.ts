import type { RelayChannel } from './ports.ts';
import type { RelayRequest } from './read-request.ts';

export interface PatchedRequest {
  readonly bytes: Buffer;
  /** What the upstream calls the model. */
  readonly model: string;
  readonly systemPromptReset: boolean;
}

/** The client's JSON with only what must change changed; untouched when nothing must. */
export function patchRequest(request: RelayRequest, channel: RelayChannel, asksForUsage: boolean): PatchedRequest {
  const model = channel.modelMapping.get(request.model) || request.model;
  const changes: Record<string, unknown> = {};
  if (model !== request.body['model']) changes['model'] = model;
  const systemPromptReset = channel.systemPrompt !== '' && request.kind.input === 'messages';
  if (systemPromptReset) changes['messages'] = withSystemPrompt(request.body['messages'], channel.systemPrompt);
  const addsUsage = request.isStream && asksForUsage && !request.wantsUsage;
  if (addsUsage) {
    const given = request.body['stream_options'];
    changes['stream_options'] = { ...(typeof given === 'object' ? given : {}), include_usage: true };
  }
  return { bytes: apply(request, changes), model, systemPromptReset };
}

function apply({ body, bytes }: RelayRequest, changes: Readonly<Record<string, unknown>>): Buffer {
  const names = Object.keys(changes);
  if (names.length === 0) return bytes;
  // A field that is not there yet is appended to the client's own bytes: numbers and spacing stay as they were.
  const isAppend = names.every((name) => !Object.hasOwn(body, name)) && Object.keys(body).length > 0;
  if (!isAppend) return Buffer.from(JSON.stringify({ ...body, ...changes }));
  const end = bytes.lastIndexOf('}');
  const added = JSON.stringify(changes).slice(1);
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`,${added}`)]);
}

/** Replaces the conversation's own system prompt, or comes first. */
function withSystemPrompt(messages: unknown, systemPrompt: string): unknown {
  if (!Array.isArray(messages)) return messages;
  const system = { role: 'system', content: systemPrompt };
  const [first] = messages as { role?: unknown }[];
  const hasOwn = first?.role === 'system' || first?.role === 'developer';
  return hasOwn ? [{ ...first, content: systemPrompt }, ...messages.slice(1)] : [system, ...messages];
}
