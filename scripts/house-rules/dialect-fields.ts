import { type Node, Visitor } from 'oxc-parser';
import { findExternalJsonReads } from './external-json-reads.ts';
import { isTest } from './file-kinds.ts';
import type { ParsedFile } from './parsed-file.ts';

/** Field names that belong to one dialect only. The relay calls the dialect or uses a neutral name. */
const fieldNames: ReadonlySet<string> = new Set([
  'choices',
  'messages',
  'finish_reason',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'stream_options',
  'include_usage',
  'best_of',
  'encoding_format',
  'b64_json',
  'response_format',
  'top_n',
  'top_p',
  'image_url',
  'input_audio',
  'extra_body',
  'search_units',
  'service_tier',
  'previous_response_id',
  'stop_reason',
  'tool_use',
  'tool_result',
  'message_start',
  'message_delta',
  'message_stop',
  'candidates',
  'usageMetadata',
  'generationConfig',
  'promptTokenCount',
  'candidatesTokenCount',
  'maxOutputTokens',
  'functionDeclarations',
]);

/** Usage counts, output limits, stream events: `prompt_tokens`, `max_tokens`, `content_block_delta`. */
const fieldName = /^(?:\w+_tokens(?:_details)?|content_block\w*|response\.output_\w+)$/;

/**
 * Fields that are ordinary English words and also names in the relay: a local `prompt`, the `size` of a set. They are
 * distinguished by use. As a string literal, such as `'tools'`, the word names the field. The same applies wherever
 * external JSON is read, see external-json-reads.ts. As an identifier it is allowed.
 */
const ordinaryWords: ReadonlySet<string> = new Set([
  'arguments',
  'audio',
  'background',
  'contents',
  'documents',
  'echo',
  'functions',
  'hd',
  'image',
  'input',
  'instructions',
  'modalities',
  'plugins',
  'prediction',
  'prompt',
  'quality',
  'query',
  'results',
  'role',
  'size',
  'suffix',
  'thinking',
  'tools',
  'video',
  'voice',
]);

/**
 * Fields whose names are also values or events of the relay, such as `'text'` and `'error'`: found only where
 * external JSON is read.
 */
const commonWords: ReadonlySet<string> = new Set([
  'content',
  'error',
  'file',
  'function',
  'message',
  'model',
  'n',
  'name',
  'output',
  'parts',
  'stop',
  'stream',
  'system',
  'text',
  'type',
  'usage',
]);

const endMark = '[DONE]';

const isField = (word: string): boolean => fieldNames.has(word) || fieldName.test(word);

/** Ignores words in prose, unless they can only be wire names. */
function namesField(text: string): boolean {
  if (text.includes(endMark) || isField(text)) return true;
  const quoted = text.match(/"[\w.]{1,40}"/g) ?? [];
  const joined = text.match(/[a-z]{1,40}_\w{1,40}/g) ?? [];
  const names = quoted.map((word) => word.slice(1, -1));
  return names.some((name) => isField(name) || ordinaryWords.has(name)) || joined.some(isField);
}

/** Dialect fields in a file of the relay: names, keys, texts and patterns. */
export function findDialectFields({ program }: ParsedFile): number[] {
  const offsets = findExternalJsonReads(program, (name) => ordinaryWords.has(name) || commonWords.has(name));
  const types = new Set<Node>();
  const look = (text: string, { start }: Node) => {
    if (namesField(text)) offsets.push(start);
  };
  new Visitor({
    TSLiteralType: ({ literal }) => types.add(literal),
    Identifier: (node) => look(node.name, node),
    PrivateIdentifier: (node) => look(node.name, node),
    Literal: (node) => {
      const text = 'regex' in node ? node.regex.pattern : String(node.value);
      if (ordinaryWords.has(text) && !types.has(node)) offsets.push(node.start);
      else look(text, node);
    },
    TemplateElement: (node) => look(node.value.raw, node),
  }).visit(program);
  return [...new Set(offsets)];
}

export const isRelaySource = (path: string): boolean =>
  path.startsWith('packages/relay/src/') && !path.startsWith('packages/relay/src/testing/') && !isTest(path);
