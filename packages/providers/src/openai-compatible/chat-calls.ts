import { type ChatDelta, isObject, numberAt, objectAt, textAt } from '@headgate/dialects';

interface Call {
  readonly index: number;
  readonly id: string;
  hasArguments: boolean;
}

/** Reads the calls of one choice. Some upstreams send no index or a wrong one. */
export class CallReader {
  readonly #idStart: string;
  /** Calls by the upstream's index. */
  readonly #byNumber = new Map<number, Call>();
  readonly #byId = new Map<string, Call>();
  readonly #calls: Call[] = [];

  constructor(answerId: string, choice: number) {
    this.#idStart = `call_${answerId}_${choice}`;
  }

  get hasAny(): boolean {
    return this.#calls.length > 0;
  }

  read(piece: unknown): readonly ChatDelta[] {
    const called = objectAt(piece, 'function');
    const name = textAt(called, 'name');
    const id = textAt(piece, 'id');
    const known = this.#known(piece, id, name);
    const call = known ?? this.#begin(piece, id);
    const json = argumentsIn(called['arguments']);
    call.hasArguments ||= json !== '';
    // Google's OpenAI-compatible API uses this field.
    const signature = textAt(objectAt(objectAt(piece, 'extra_content'), 'google'), 'thought_signature');
    return [
      {
        toolCall: {
          index: call.index,
          ...(!known && { id: call.id, name }),
          arguments: json,
          ...(signature !== '' && { thoughtSignature: signature }),
        },
      },
    ];
  }

  /** A call without arguments gets an empty object, which is valid JSON. */
  close(): readonly ChatDelta[] {
    return this.#calls
      .filter(({ hasArguments }) => !hasArguments)
      .map(({ index }) => ({ toolCall: { index, arguments: '{}' } }));
  }

  /**
   * Returns the open call; undefined when a new call starts: its index is new, or it has another id and a name under
   * the same index.
   */
  #known(piece: unknown, id: string, name: string): Call | undefined {
    const number = numberAt(piece, 'index');
    const call = number === undefined ? this.#unnumbered(id, name) : this.#byNumber.get(number);
    const isAnother = call !== undefined && id !== '' && name !== '' && id !== call.id;
    return isAnother ? undefined : call;
  }

  #unnumbered(id: string, name: string): Call | undefined {
    if (id !== '') return this.#byId.get(id);
    return name === '' ? this.#calls.at(-1) : undefined;
  }

  #begin(piece: unknown, id: string): Call {
    const index = this.#calls.length;
    const call: Call = { index, id: id || `${this.#idStart}_${index}`, hasArguments: false };
    this.#calls.push(call);
    if (!this.#byId.has(call.id)) this.#byId.set(call.id, call);
    this.#byNumber.set(numberAt(piece, 'index') ?? index, call);
    return call;
  }
}

/** JSON text; some upstreams send the object itself. */
function argumentsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? JSON.stringify(value) : '';
}
