import {
  asksToReason,
  type ChatField,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  demandsIn,
  hintsIn,
  type JsonObject,
  JsonTally,
  RequestProblem,
  requestBounds,
} from '@headgate/dialects';
import type { ChatAdaptor, Ranges } from './provider.ts';

/** A request as far as an upstream takes it. */
interface Fitted {
  readonly request: ChatRequest;
  /** What was left out or moved into the upstream's range, to be named to the client. */
  readonly ignored: readonly ChatField[];
}

/** Leaves out hints that the adaptor does not carry over; what would change the meaning is refused by its name. */
export function fitRequest(
  asked: ChatRequest,
  { takes, ranges = {}, takesPicturesInResults }: Pick<ChatAdaptor, 'takes' | 'ranges' | 'takesPicturesInResults'>,
): Fitted {
  const refused = demandsIn(asked).find((demand) => !takes.includes(demand));
  if (refused !== undefined) throw new RequestProblem(refused, `The channel's provider does not support ${refused}`);
  requireSmallArguments(asked.messages);
  // Only where it may be left out: else it was a demand.
  const isThoughtless = asksToReason(asked) && !takes.includes('reasoning_effort');
  const thoughts: readonly ChatField[] = isThoughtless ? ['reasoning_effort'] : [];
  const shown = takesPicturesInResults ? asked : { ...asked, messages: withPicturesAfterResults(asked.messages) };
  const request = isThoughtless ? { ...shown, reasoningEffort: undefined } : shown;
  const hints = hintsIn(request);
  if (hints.length === 0) return { request, ignored: thoughts };
  const moved = outsideOf(ranges, hintNumbers(request));
  const ignored = [...thoughts, ...hints.filter((hint) => !takes.includes(hint) || hint in moved)];
  if (Object.keys(moved).length === 0) return { request, ignored };
  return { request: { ...request, ...movedHints(request, moved) }, ignored };
}

/** Many adaptors parse the arguments of tool calls: all of them together must be as small as a request body. */
function requireSmallArguments(messages: readonly ChatMessage[]): void {
  const tally = new JsonTally(requestBounds);
  for (const message of messages) {
    const calls = message.role === 'assistant' ? message.toolCalls : [];
    if (calls.every((call) => tally.add(call.arguments))) continue;
    const problem = 'The arguments of the tool calls have too many parts or are nested too deeply';
    throw new RequestProblem('messages', problem);
  }
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

/** Whether a field asks for what is usual anyway: `top_p` of 1 leaves everything in, where an upstream takes a little less at most. */
export const isUsual = (name: string, value: unknown): boolean => name === 'top_p' && value === 1;

const hintNumbers = (request: ChatRequest): JsonObject => ({
  temperature: request.temperature,
  top_p: request.topP,
  frequency_penalty: request.frequencyPenalty,
  presence_penalty: request.presencePenalty,
});

const movedHints = (request: ChatRequest, moved: Readonly<Record<string, number>>) => ({
  temperature: moved['temperature'] ?? request.temperature,
  topP: moved['top_p'] ?? request.topP,
  frequencyPenalty: moved['frequency_penalty'] ?? request.frequencyPenalty,
  presencePenalty: moved['presence_penalty'] ?? request.presencePenalty,
});

/** Messages with the pictures of tool results behind them, as shown by the user: most upstreams take text alone as a result. */
function withPicturesAfterResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(showsMore)) return messages;
  const fitted: ChatMessage[] = [];
  let shown: ContentPart[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') {
      if (shown.length > 0) fitted.push({ role: 'user', parts: shown });
      shown = [];
      fitted.push(message);
      continue;
    }
    shown.push(...message.parts.filter(({ type }) => type !== 'text'));
    fitted.push({ ...message, parts: message.parts.filter(({ type }) => type === 'text') });
  }
  if (shown.length > 0) fitted.push({ role: 'user', parts: shown });
  return fitted;
}

const showsMore = (message: ChatMessage) =>
  message.role === 'tool' && message.parts.some(({ type }) => type !== 'text');
