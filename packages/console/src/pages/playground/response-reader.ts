import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);
const count = z.catch(z.number(), 0);

/** Subset of the fields: only those displayed. */
const chunk = z.object({
  choices: z.catch(
    z.array(
      z.object({
        delta: z.catch(z.object({ content: text, reasoning_content: text, reasoning: text }), {}),
      }),
    ),
    [],
  ),
  usage: z.catch(z.optional(z.object({ prompt_tokens: count, completion_tokens: count })), undefined),
  error: z.catch(z.optional(z.object({ message: z.string() })), undefined),
});

export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface ResponseChunk {
  readonly text: string;
  readonly reasoning: string;
  readonly usage: TokenUsage | undefined;
  readonly error: string | undefined;
}

/** Incremental parser of an event stream, independent of chunk boundaries. */
export class ResponseReader {
  #rest = '';
  #usage: TokenUsage | undefined;

  push(received: string): ResponseChunk {
    const lines = (this.#rest + received).split('\n');
    this.#rest = lines.pop() ?? '';
    let [response, reasoning] = ['', ''];
    let error: string | undefined;
    for (const line of lines) {
      const event = eventOf(line);
      const delta = event?.choices[0]?.delta;
      response += delta?.content ?? '';
      reasoning += delta?.reasoning_content ?? delta?.reasoning ?? '';
      this.#usage = event?.usage ?? this.#usage;
      error ??= event?.error?.message;
    }
    return { text: response, reasoning, usage: this.#usage, error };
  }
}

function eventOf(line: string): z.output<typeof chunk> | undefined {
  if (!line.startsWith('data:')) return undefined;
  try {
    return chunk.parse(JSON.parse(line.slice('data:'.length)));
  } catch {
    return undefined;
  }
}

/** Error message of a response body of any shape. */
export function errorMessageOf(body: string, status: number): string {
  try {
    return z.object({ error: z.object({ message: z.string() }) }).parse(JSON.parse(body)).error.message;
  } catch {
    return `HTTP ${status}`;
  }
}
