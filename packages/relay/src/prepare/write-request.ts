import { type JsonObject, modelField } from '@headgate/dialects';
import { fitBody, type PassThrough } from '@headgate/providers';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { isConversation } from '../request/endpoint-kinds.ts';
import { stringify } from '../request/long-strings.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { UpstreamView } from '../upstream/upstream-view.ts';

export interface PatchedRequest {
  readonly changes: JsonObject;
  readonly bytes: Buffer;
  readonly systemPromptReset: boolean;
  /** Fields that were dropped or clamped to the upstream's range, to be reported to the client. */
  readonly ignored: readonly string[];
}

interface Target {
  readonly channel: RelayChannel;
  readonly view: UpstreamView;
  /** Undefined when the request is translated. */
  readonly wire: PassThrough | undefined;
  /** Fields to set by the channel's rules, in the upstream's format; a field set to undefined is removed. */
  readonly ruleChanges?: ((body: JsonObject) => JsonObject) | undefined;
}

/** The client's JSON with only the required changes; the original bytes when there are none. */
export function patchRequest(request: RelayRequest, { channel, view, wire, ruleChanges }: Target): PatchedRequest {
  const changes: Record<string, unknown> = {};
  if (view.model !== request.body[modelField]) changes[modelField] = view.model;
  const { kind, body } = request;
  const systemPromptReset = channel.systemPrompt !== '' && isConversation(kind);
  if (systemPromptReset) Object.assign(changes, kind.dialect.withSystemPrompt(body, channel.systemPrompt));
  if (!wire) return { changes, bytes: request.bytes, systemPromptReset, ignored: [] };
  if (wire.rejectsStreamOptions) Object.assign(changes, kind.dialect.withoutUsageRequest?.(body));
  else if (request.isStream && !wire.watch && !request.wantsUsage) {
    Object.assign(changes, kind.dialect.askForUsage?.(body));
  }
  const { changes: fitted, ignored } = fitBody({ ...request.body, ...changes }, wire, view);
  Object.assign(changes, fitted);
  if (wire.patch) Object.assign(changes, wire.patch({ ...request.body, ...changes }, view));
  if (ruleChanges) Object.assign(changes, ruleChanges({ ...request.body, ...changes }));
  return { changes, bytes: apply(request, changes), systemPromptReset, ignored };
}

function apply({ body, bytes, longStrings }: RelayRequest, changes: JsonObject): Buffer {
  const names = Object.keys(changes);
  if (names.length === 0) return bytes;
  // A missing field is appended to the client's bytes, so that numbers and whitespace stay unchanged.
  const isAppend = names.every((name) => !Object.hasOwn(body, name)) && Object.keys(body).length > 0;
  if (!isAppend) return stringify({ ...body, ...changes }, longStrings);
  const added = JSON.stringify(changes).slice(1);
  if (added === '}') return bytes;
  const end = bytes.lastIndexOf('}');
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(`,${added}`)]);
}
