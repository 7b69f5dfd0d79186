import * as z from 'zod/mini';
import type { PlaygroundDraft } from '../../lib/page/playground-draft.ts';

const number = z.catch(z.optional(z.number()), undefined);
const anything = z.optional(z.unknown());

/** Fields of chat requests that the playground supports, in any API format. */
const request = z.object({
  messages: anything,
  input: anything,
  contents: anything,
  prompt: anything,
  system: anything,
  instructions: anything,
  systemInstruction: anything,
  system_instruction: anything,
  temperature: number,
  top_p: number,
  max_tokens: number,
  max_completion_tokens: number,
  max_output_tokens: number,
  generationConfig: z.catch(
    z.optional(z.object({ temperature: number, topP: number, maxOutputTokens: number })),
    undefined,
  ),
  options: z.catch(z.optional(z.object({ temperature: number, top_p: number, num_predict: number })), undefined),
});

const part = z.object({ text: z.string() });
const message = z.object({
  role: z.catch(z.string(), 'user'),
  content: anything,
  parts: anything,
});

/** Text of a message: a string, or the text parts of a list or object. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).filter(Boolean).join('\n');
  const parsed = part.safeParse(content);
  return parsed.success ? parsed.data.text : '';
}

const messagesIn = (list: unknown): readonly { role: string; text: string }[] =>
  (Array.isArray(list) ? list : []).flatMap((item) => {
    const parsed = message.safeParse(item);
    return parsed.success ? [{ role: parsed.data.role, text: textOf(parsed.data.content ?? parsed.data.parts) }] : [];
  });

const systemRoles: ReadonlySet<string> = new Set(['system', 'developer']);
const shown = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** The last message of a stored chat request with its parameters; undefined if there is none. */
export function requestDraft(text: string): PlaygroundDraft | undefined {
  const parsed = request.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const messages = [data.messages, data.input, data.contents].flatMap(messagesIn);
  const question =
    messages.findLast(({ role, text: content }) => role === 'user' && content !== '')?.text ??
    [data.input, data.prompt].map((single) => (typeof single === 'string' ? single : '')).find(Boolean);
  if (!question) return undefined;
  const instruction = z.object({ parts: z.unknown() }).safeParse(data.systemInstruction ?? data.system_instruction);
  const systems = [
    ...messages.filter(({ role }) => systemRoles.has(role)).map((one) => one.text),
    textOf(data.system ?? data.instructions),
    instruction.success ? textOf(instruction.data.parts) : '',
  ];
  const { generationConfig: gemini, options: ollama } = data;
  return {
    question,
    system: systems.filter(Boolean).join('\n\n'),
    temperature: shown(data.temperature ?? gemini?.temperature ?? ollama?.temperature),
    topP: shown(data.top_p ?? gemini?.topP ?? ollama?.top_p),
    maxTokens: shown(
      data.max_tokens ??
        data.max_completion_tokens ??
        data.max_output_tokens ??
        gemini?.maxOutputTokens ??
        ollama?.num_predict,
    ),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
