import { type Node, Visitor } from 'oxc-parser';
import { isTest } from './file-kinds.ts';
import type { ParsedFile } from './parsed-file.ts';

/**
 * Names of fields that belong to one of the dialects. The relay asks the dialect, or has a neutral word. Fields that the relay still reads
 * itself are not among them: `tools`, `functions`, `echo`, `prediction`, and those of pictures and rankings.
 */
const fieldNames: ReadonlySet<string> = new Set([
  ...['choices', 'messages', 'finish_reason', 'tool_calls', 'function_call', 'reasoning_content', 'stream_options'],
  ...['include_usage', 'best_of', 'encoding_format', 'b64_json', 'response_format'],
  ...['stop_reason', 'tool_use', 'tool_result', 'message_start', 'message_delta', 'message_stop'],
  ...['candidates', 'usageMetadata', 'generationConfig', 'promptTokenCount', 'candidatesTokenCount', 'maxOutputTokens'],
]);

/** Counts of a usage, limits of an answer, events of a stream: `prompt_tokens`, `max_tokens`, `content_block_delta`. */
const fieldName = /^(?:\w+_tokens(?:_details)?|content_block\w*|response\.output_\w+)$/;

const endMark = '[DONE]';

const isField = (word: string): boolean => fieldNames.has(word) || fieldName.test(word);

/** A word of prose is none, unless it could stand nowhere but on a wire. */
function namesField(text: string): boolean {
  if (text.includes(endMark) || isField(text)) return true;
  const quoted = text.match(/"[\w.]{1,40}"/g) ?? [];
  const joined = text.match(/[a-z]{1,40}_\w{1,40}/g) ?? [];
  return [...quoted.map((word) => word.slice(1, -1)), ...joined].some(isField);
}

/** What in a file of the relay is a field of some dialect: names, keys, texts and patterns. */
export function findDialectWords({ program }: ParsedFile): number[] {
  const offsets: number[] = [];
  const look = (text: string, { start }: Node) => {
    if (namesField(text)) offsets.push(start);
  };
  new Visitor({
    Identifier: (node) => look(node.name, node),
    PrivateIdentifier: (node) => look(node.name, node),
    Literal: (node) => look('regex' in node ? node.regex.pattern : String(node.value), node),
    TemplateElement: (node) => look(node.value.raw, node),
  }).visit(program);
  return offsets;
}

export const isRelaySource = (path: string): boolean =>
  path.startsWith('packages/relay/src/') && !path.startsWith('packages/relay/src/testing/') && !isTest(path);
