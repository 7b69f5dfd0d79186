import type { ChatDelta } from '@headgate/providers';

/** One thread of what an answer says: its text, its reasoning, or a call of a tool. */
export interface Said {
  /** The same for all pieces of one strand. */
  readonly strand: string;
  readonly text: string;
}

interface Choice {
  readonly index?: unknown;
  readonly text?: unknown;
  readonly message?: unknown;
  readonly delta?: unknown;
}

/** What OpenAI's choices say, in a whole answer or in a piece of a stream. */
export function saidIn(reply: unknown): readonly Said[] {
  const { choices } = (reply ?? {}) as { choices?: unknown };
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice: Choice | null, place) => {
    if (typeof choice !== 'object' || choice === null) return [];
    const index = String(choice.index ?? place);
    const message = choice.message ?? choice.delta;
    return [...strand(index, choice.text), ...messageSays(index, message)];
  });
}

/** What a piece of an answer says that came in other words. */
export function deltaSays({ choice = 0, content, reasoning, toolCall }: ChatDelta): readonly Said[] {
  const call = `${choice} call ${toolCall?.index}`;
  return [
    ...strand(`${choice}`, content),
    ...strand(`${choice} reasoning`, reasoning),
    ...strand(call, toolCall?.name),
    ...strand(call, toolCall?.arguments),
  ];
}

function messageSays(index: string, message: unknown): readonly Said[] {
  if (typeof message !== 'object' || message === null) return [];
  const { content, reasoning_content, reasoning, refusal, tool_calls } = message as Record<string, unknown>;
  return [
    ...strand(index, Array.isArray(content) ? content.map(textOf).join('') : content),
    ...strand(`${index} reasoning`, reasoning_content ?? reasoning),
    ...strand(`${index} refusal`, refusal),
    ...(Array.isArray(tool_calls) ? tool_calls.flatMap((call, place) => callSays(index, call, place)) : []),
  ];
}

function callSays(index: string, call: unknown, place: number): readonly Said[] {
  const { index: number, function: called } = (call ?? {}) as { index?: unknown; function?: unknown };
  const { name, arguments: given } = (called ?? {}) as { name?: unknown; arguments?: unknown };
  const key = `${index} call ${number ?? place}`;
  return [...strand(key, name), ...strand(key, given)];
}

const strand = (key: string, text: unknown): readonly Said[] =>
  typeof text === 'string' && text !== '' ? [{ strand: key, text }] : [];

function textOf(part: unknown): string {
  const { text } = (part ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : '';
}
