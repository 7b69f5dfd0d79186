import { type ChatMessage, type ContentPart, joinTextParts, type TextPart } from '../chat/chat-message.ts';
import type { ToolCall } from '../chat/chat-response.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { readImage } from '../image-url.ts';
import { type JsonObject, optionalText, requiredText, requireList, requireObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';
import { decodeReasoning } from './server-tools.ts';
import { flatToolName, localShellName } from './tool-names.ts';

/** The conversation; reasoning, text and calls of one turn become one message. */
export function readInput(input: unknown): readonly ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', parts: partsOf(input, 'input') }];
  const reader = new ItemReader();
  for (const [index, item] of requireList(input, 'input').entries()) {
    reader.read(requireObject(item, `input[${index}]`), `input[${index}]`);
  }
  return reader.end();
}

interface Turn {
  readonly parts: TextPart[];
  readonly thoughts: ReasoningBlock[];
  readonly toolCalls: ToolCall[];
  readonly signatures: Map<string, string>;
}

/** Provider tool items. They are skipped because the model's text already contains their result. */
const traces: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_list_tools',
  'mcp_call',
  'additional_tools',
]);

class ItemReader {
  readonly #messages: ChatMessage[] = [];
  readonly #shellCallIds = new Map<string, string>();
  #turn: Turn | undefined;

  read(item: JsonObject, at: string): void {
    const type = item['type'] ?? 'message';
    if (type === 'message') this.#readMessage(item, at);
    else if (type === 'reasoning') this.#readThought(item);
    else if (type === 'function_call')
      this.#readCall(item, at, optionalText(item['arguments'], `${at}.arguments`) || '{}');
    else if (type === 'custom_tool_call')
      this.#readCall(item, at, JSON.stringify({ input: requiredText(item['input'], `${at}.input`) }));
    else if (type === 'local_shell_call') this.#readShellCall(item, at);
    else if (String(type).endsWith('_call_output')) this.#readResult(item, at, String(type));
    else if (!traces.has(type)) {
      throw new RequestProblem(`${at}.type`, `The channel's provider does not support input of type ${String(type)}`);
    }
  }

  end(): readonly ChatMessage[] {
    this.#closeTurn();
    return this.#messages;
  }

  #readMessage(item: JsonObject, at: string): void {
    const content = item['content'] ?? '';
    switch (item['role']) {
      case 'system':
      case 'developer': {
        const parts = textPartsOf(content, `${at}.content`);
        this.#push({ role: 'system', text: joinTextParts(parts), parts });
        return;
      }
      case 'user':
        this.#push({ role: 'user', parts: partsOf(content, `${at}.content`) });
        return;
      case 'assistant':
        this.#openTurn().parts.push(...textPartsOf(content, `${at}.content`));
        return;
      default:
        throw new RequestProblem(`${at}.role`, `${at}.role must be system, developer, user or assistant`);
    }
  }

  #readThought(item: JsonObject): void {
    const turn = this.#openTurn();
    const texts = [...listAt(item, 'content'), ...(listAt(item, 'content').length > 0 ? [] : listAt(item, 'summary'))];
    const text = texts.map((part) => textAt(part, 'text')).join('\n\n');
    const unsealed = decodeReasoning(textAt(item, 'encrypted_content'), text, textAt(item, 'id'));
    if ('callId' in unsealed) turn.signatures.set(unsealed.callId, unsealed.signature);
    else if (text !== '' || unsealed.thought.maker !== undefined) turn.thoughts.push(unsealed.thought);
  }

  #readCall(item: JsonObject, at: string, json: string): void {
    this.#openTurn().toolCalls.push({
      id: requiredText(item['call_id'], `${at}.call_id`),
      name: flatToolName(requiredText(item['name'], `${at}.name`), textAt(item, 'namespace')),
      arguments: json,
    });
  }

  #readShellCall(item: JsonObject, at: string): void {
    const id = requiredText(item['call_id'] ?? item['id'], `${at}.call_id`);
    this.#shellCallIds.set(textAt(item, 'id'), id);
    const { type: _exec, ...action } = objectAt(item, 'action');
    this.#openTurn().toolCalls.push({ id, name: localShellName, arguments: JSON.stringify(action) });
  }

  #readResult(item: JsonObject, at: string, type: string): void {
    if (!results.has(type)) {
      throw new RequestProblem(`${at}.type`, `The channel's provider does not support input of type ${type}`);
    }
    const parts = partsOf(item['output'] ?? '', `${at}.output`);
    const id = textAt(item, 'id');
    const toolCallId =
      item['call_id'] == null && type === 'local_shell_call_output'
        ? (this.#shellCallIds.get(id) ?? id)
        : item['call_id'];
    this.#push({
      role: 'tool',
      toolCallId: requiredText(toolCallId, `${at}.call_id`),
      text: joinTextParts(parts),
      parts,
    });
  }

  #openTurn(): Turn {
    this.#turn ??= { parts: [], thoughts: [], toolCalls: [], signatures: new Map() };
    return this.#turn;
  }

  #push(message: ChatMessage): void {
    this.#closeTurn();
    this.#messages.push(message);
  }

  #closeTurn(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (!turn) return;
    const { parts, thoughts, signatures } = turn;
    const toolCalls = turn.toolCalls.map((call) => {
      const thoughtSignature = signatures.get(call.id);
      return thoughtSignature === undefined ? call : { ...call, thoughtSignature };
    });
    this.#messages.push({ role: 'assistant', text: joinTextParts(parts), parts, thoughts, toolCalls });
  }
}

const results: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'local_shell_call_output',
]);

/** Text-only content. */
function textPartsOf(content: unknown, at: string): readonly TextPart[] {
  return partsOf(content, at).map((part) => {
    if (part.type !== 'text') throw new RequestProblem(at, `${at} may only contain text`);
    return part;
  });
}

function partsOf(content: unknown, at: string): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return requireList(content, at).map((part, index) =>
    readPart(requireObject(part, `${at}[${index}]`), `${at}[${index}]`),
  );
}

function readPart(part: JsonObject, at: string): ContentPart {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: requiredText(part['text'], `${at}.text`) };
    case 'refusal':
      return { type: 'text', text: requiredText(part['refusal'], `${at}.refusal`) };
    case 'input_image':
      rejectStored(part, 'file_id', at);
      return { type: 'image', image: readImage(requiredText(part['image_url'], `${at}.image_url`), `${at}.image_url`) };
    case 'input_file':
      rejectStored(part, 'file_id', at);
      rejectStored(part, 'file_url', at);
      return {
        type: 'file',
        name: optionalText(part['filename'], `${at}.filename`) ?? '',
        data: requiredText(part['file_data'], `${at}.file_data`),
      };
    case 'input_audio': {
      const audio = requireObject(part['input_audio'], `${at}.input_audio`);
      return {
        type: 'audio',
        data: requiredText(audio['data'], `${at}.input_audio.data`),
        format: requiredText(audio['format'], `${at}.input_audio.format`),
      };
    }
    default:
      throw new RequestProblem(`${at}.type`, `${at}.type is not a supported content type`);
  }
}

/** Data that is stored at OpenAI or must be fetched is unavailable to other upstreams. */
function rejectStored(part: JsonObject, name: string, at: string): void {
  if (part[name] == null) return;
  throw new RequestProblem(`${at}.${name}`, `The channel's provider does not support ${name}: send the contents`);
}
