import { isObject, type JsonObject } from '../json-fields.ts';
import { parseJsonObject } from '../parse-json.ts';
import { textAt } from '../upstream-fields.ts';
import { emitAdded, emitDone, fieldsOf, type ItemPlace, type ItemStatus, type OpenItem } from './output-item.ts';
import type { NamedTool } from './tool-names.ts';

/** A call of a client tool, written as an item of the matching type. */
export class CallItem implements OpenItem {
  readonly #place: ItemPlace;
  readonly #fields: string;
  readonly #tool: NamedTool;
  readonly #callId: string;
  #json = '';

  constructor(place: ItemPlace, tool: NamedTool, callId: string) {
    this.#place = place;
    this.#tool = tool;
    this.#callId = callId;
    this.#fields = fieldsOf({ item_id: place.id, output_index: place.index });
    emitAdded(place, this.#item('in_progress', ''));
  }

  /** The input of custom tools is known only when the surrounding JSON is complete. */
  addArguments(piece: string): void {
    this.#json += piece;
    if (this.#tool.kind !== 'function' || piece === '') return;
    this.#place.emit('response.function_call_arguments.delta', `${this.#fields},"delta":${JSON.stringify(piece)}`);
  }

  close(status: ItemStatus): JsonObject {
    const { kind } = this.#tool;
    const { emit } = this.#place;
    const given = kind === 'custom' ? inputIn(this.#json) : this.#json || '{}';
    if (kind === 'custom') {
      if (given !== '') emit('response.custom_tool_call_input.delta', `${this.#fields},${fieldsOf({ delta: given })}`);
      emit('response.custom_tool_call_input.done', `${this.#fields},${fieldsOf({ input: given })}`);
    }
    if (kind === 'function') {
      emit('response.function_call_arguments.done', `${this.#fields},${fieldsOf({ arguments: given })}`);
    }
    return emitDone(this.#place, this.#item(status, given));
  }

  #item(status: ItemStatus | 'in_progress', given: string): JsonObject {
    const { kind, name, namespace } = this.#tool;
    const head = { id: this.#place.id, type: itemTypes[kind], status, call_id: this.#callId };
    if (kind === 'local_shell') return { ...head, action: shellAction(given) };
    const named = { ...head, name, ...(namespace !== undefined && { namespace }) };
    return kind === 'custom' ? { ...named, input: given } : { ...named, arguments: given };
  }
}

const itemTypes = { function: 'function_call', custom: 'custom_tool_call', local_shell: 'local_shell_call' } as const;

const parsed = (json: string): JsonObject => parseJsonObject(json) ?? {};

/** A model that ignored the JSON format wrote the input directly. */
function inputIn(json: string): string {
  const { input } = parsed(json);
  return typeof input === 'string' ? input : json;
}

function shellAction(json: string): JsonObject {
  const { command, env, timeout_ms, ...given } = parsed(json);
  return {
    type: 'exec',
    command: Array.isArray(command) ? command.map(String) : [],
    env: isObject(env) ? env : {},
    timeout_ms: typeof timeout_ms === 'number' ? timeout_ms : null,
    working_directory: textAt(given, 'working_directory') || null,
    user: textAt(given, 'user') || null,
  };
}
