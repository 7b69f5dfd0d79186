import { type ReasoningBlock, readTaggedSignature, taggedSignature } from '../chat/reasoning-block.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Tool types run by the client; namespaces are searched recursively. */
const clientTools: ReadonlySet<string> = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch']);

export const isServerTool = (tool: unknown): boolean =>
  !clientTools.has(textAt(tool, 'type')) || listAt(tool, 'tools').some(isServerTool);

/** Provider tools in the request and in its input items. */
export const findServerTools = (body: JsonObject): readonly string[] =>
  [body, ...listAt(body, 'input')]
    .flatMap((holder) => listAt(holder, 'tools'))
    .filter(isServerTool)
    .map((tool) => textAt(tool, 'type') || 'tool');

export function withoutServerTools(body: JsonObject): JsonObject | undefined {
  const own = ownToolsIn(body);
  const { tool_choice: choice } = body;
  const input = listAt(body, 'input').map(withOwnTools);
  const isNone = own.length === 0 && input.every((item) => listAt(item, 'tools').length === 0);
  if (isDemanded(objectAt(body, 'tool_choice')) || (choice === 'required' && isNone)) return undefined;
  return {
    ...(own.length > 0 ? { tools: own } : { tools: undefined, ...(isNone && { tool_choice: undefined }) }),
    ...(Array.isArray(body['input']) && { input }),
  };
}

const ownToolsIn = (holder: unknown) => listAt(holder, 'tools').filter((tool) => !isServerTool(tool));

const withOwnTools = (item: unknown): unknown =>
  isObject(item) && Array.isArray(item['tools']) ? { ...item, tools: ownToolsIn(item) } : item;

const isDemanded = (choice: JsonObject): boolean => {
  const kind = textAt(choice, 'type');
  if (kind === 'allowed_tools') return listAt(choice, 'tools').some(isServerTool);
  return kind !== '' && !clientTools.has(kind);
};

// Writes encrypted content, for which this dialect has one field. OpenAI's content is stored unchanged; for other
// vendors the field contains the vendor and the signed item: reasoning text, encrypted reasoning, or a call.

const textMark = 's';
const wholeMark = 'd';
const callMark = 'c';

/** Null without a signature. */
export function encryptedContent({ maker, signature, sealed }: ReasoningBlock): string | null {
  if (maker === undefined) return null;
  if (sealed !== undefined) return maker === 'openai' ? sealed : taggedSignature(maker, wholeMark + sealed);
  return signature === undefined ? null : taggedSignature(maker, textMark + signature);
}

/** Encodes Google's signature of a call, for which this dialect has no field. */
export const encodeCallSignature = (callId: string, signature: string): string =>
  taggedSignature('google', `${callMark}${callId}.${signature}`);

/** Encrypted content that a client sent back, decoded. */
type DecodedReasoning = { readonly thought: ReasoningBlock } | { readonly callId: string; readonly signature: string };

export function decodeReasoning(content: string, text: string, id: string): DecodedReasoning {
  const named = { text, ...(id !== '' && { id }) };
  if (content === '') return { thought: { text } };
  const { maker, seal } = readTaggedSignature(content, 'openai');
  if (!content.startsWith(taggedSignature(maker, ''))) return { thought: { ...named, maker, sealed: seal } };
  const rest = seal.slice(1);
  if (seal.startsWith(callMark)) {
    const dot = rest.lastIndexOf('.');
    return { callId: rest.slice(0, dot), signature: rest.slice(dot + 1) };
  }
  if (seal.startsWith(wholeMark)) return { thought: { text, maker, sealed: rest } };
  return { thought: { text, maker, signature: rest } };
}
