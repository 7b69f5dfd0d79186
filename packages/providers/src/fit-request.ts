import { type ChatHint, type ChatRequest, demandsIn, hintsIn } from './chat-request.ts';
import { RequestProblem } from './problems.ts';
import type { ChatAdaptor, JsonObject, Ranges } from './provider.ts';

/** A request as far as an upstream takes it. */
interface Fitted {
  readonly request: ChatRequest;
  /** The hints that were left out or moved into the upstream's range, to be named to the client. */
  readonly ignored: readonly ChatHint[];
}

/** Leaves out hints that the adaptor does not carry over; what would change the meaning is refused by its name. */
export function fitRequest(
  request: ChatRequest,
  { takes, ranges = {} }: Pick<ChatAdaptor, 'takes' | 'ranges'>,
): Fitted {
  const refused = demandsIn(request).find((demand) => !takes.includes(demand));
  if (refused !== undefined) throw new RequestProblem(refused, `The channel's provider does not support ${refused}`);
  const hints = hintsIn(request);
  if (hints.length === 0) return { request, ignored: [] };
  const moved = outsideOf(ranges, request.body);
  const ignored = hints.filter((hint) => !takes.includes(hint) || hint in moved);
  if (Object.keys(moved).length === 0) return { request, ignored };
  return { request: { ...request, ...movedHints(request, moved) }, ignored };
}

/** The numbers that lie outside of what a provider takes, moved to the nearest it does. */
export function outsideOf(ranges: Ranges, body: JsonObject): Readonly<Record<string, number>> {
  const moved: Record<string, number> = {};
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const value = body[name];
    if (typeof value !== 'number') continue;
    if (value < least) moved[name] = least;
    else if (value > most) moved[name] = most;
  }
  return moved;
}

const movedHints = (request: ChatRequest, moved: Readonly<Record<string, number>>) => ({
  temperature: moved['temperature'] ?? request.temperature,
  topP: moved['top_p'] ?? request.topP,
  frequencyPenalty: moved['frequency_penalty'] ?? request.frequencyPenalty,
  presencePenalty: moved['presence_penalty'] ?? request.presencePenalty,
});
