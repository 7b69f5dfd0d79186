import type {
  ChatChoice,
  ChatMessage,
  ChatRequest,
  ChatResponse,
  ContentPart,
  ReasoningBlock,
  ToolCall,
} from '@headgate/dialects';
import fc from 'fast-check';

// Conversations and responses that every dialect can express.

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const name = fc.stringMatching(/^[a-z_]{1,12}$/);
const seal = fc.stringMatching(/^[A-Za-z0-9+/]{1,20}$/);
const callId = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);

const args = fc
  .dictionary(name, fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 2 })), {
    maxKeys: 3,
  })
  .map((value) => JSON.stringify(value));

const text = words.map((value): ContentPart => ({ type: 'text', text: value }));
const image = fc.oneof(
  seal.map((data): ContentPart => ({ type: 'image', image: { mediaType: 'image/png', data } })),
  name.map((path): ContentPart => ({ type: 'image', image: { url: `https://pictures.test/${path}` } })),
);
const file = seal.map(
  (data): ContentPart => ({ type: 'file', name: 'a.pdf', data: `data:application/pdf;base64,${data}` }),
);

export const signedReasoning = fc.oneof(
  fc.record({ text: words, maker: fc.constant('anthropic' as const), signature: seal }),
  fc.record({ text: fc.constant(''), maker: fc.constant('anthropic' as const), sealed: seal }),
);

/** Always has text, because a signature without text would be mistaken for the signature of the next call. */
export const anyReasoning: fc.Arbitrary<ReasoningBlock> = fc.oneof(
  signedReasoning,
  fc.record({ text: words, maker: fc.constantFrom('google' as const, 'openai' as const), signature: seal }),
  fc.record({ text: fc.constant(''), maker: fc.constant('openai' as const), sealed: seal, id: callId }),
);

const call: fc.Arbitrary<ToolCall> = fc.record({ id: callId, name, arguments: args });

const textMessage = (role: 'system', value: string): ChatMessage => ({
  role,
  text: value,
  parts: [{ type: 'text', text: value }],
});

const user = fc
  .array(fc.oneof(text, image, file), { minLength: 1, maxLength: 3 })
  .map((parts) => [{ role: 'user', parts } satisfies ChatMessage]);

/** A model turn with calls and their results. */
const step = (thought: fc.Arbitrary<ReasoningBlock>) =>
  fc
    .record({
      said: words,
      thoughts: fc.array(thought, { maxLength: 2 }),
      results: fc.array(fc.tuple(call, fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 2 }), fc.boolean()), {
        maxLength: 3,
      }),
    })
    .map(({ said, thoughts, results }): readonly ChatMessage[] => [
      {
        role: 'assistant',
        text: said,
        parts: [{ type: 'text', text: said }],
        thoughts,
        toolCalls: results.map(([made]) => made),
      },
      ...results.map(
        ([made, parts, isError]): ChatMessage => ({
          role: 'tool',
          toolCallId: made.id,
          text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
          parts,
          ...(isError && { isError }),
        }),
      ),
    ]);

/** A conversation that starts with a system message and ends with the user. */
export const randomConversation = (thought: fc.Arbitrary<ReasoningBlock>): fc.Arbitrary<readonly ChatMessage[]> =>
  fc
    .tuple(words, user, fc.array(fc.tuple(step(thought), user), { maxLength: 3 }))
    .map(([system, first, turns]) => [textMessage('system', system), ...first, ...turns.flat(2)]);

export const randomRequest: Omit<ChatRequest, 'messages'> = {
  tools: [],
  toolChoice: undefined,
  parallelToolCalls: undefined,
  maxTokens: 4096,
  temperature: undefined,
  topP: undefined,
  topK: undefined,
  frequencyPenalty: undefined,
  presencePenalty: undefined,
  seed: undefined,
  stop: [],
  responseFormat: undefined,
  reasoningEffort: undefined,
  reasoningBudget: undefined,
  user: undefined,
  isStream: false,
  choices: 1,
  extras: {},
};

const tokens = fc.integer({ min: 1, max: 100_000 });

/** A response with one choice. Calls may have Gemini's signature when `isSigned`. */
export const randomResponse = (thought: fc.Arbitrary<ReasoningBlock>, isSigned: boolean): fc.Arbitrary<ChatResponse> =>
  fc
    .record({
      content: fc.oneof(words, fc.constant('')),
      thoughts: fc.array(thought, { maxLength: 2 }),
      unsealed: fc.oneof(words, fc.constant('')),
      toolCalls: fc.array(fc.tuple(call, fc.option(seal, { nil: undefined })), { maxLength: 3 }),
      end: fc.constantFrom<Partial<ChatChoice>>(
        { finishReason: 'stop' },
        { finishReason: 'length' },
        { finishReason: 'stop', stopSequence: 'END' },
        { finishReason: 'content_filter' },
      ),
      counts: fc.tuple(tokens, tokens, tokens, tokens, tokens),
    })
    .map(({ content, thoughts, unsealed, toolCalls, end, counts }) => {
      const [input, cached, written, output, thinking] = counts;
      // Unsigned text is generated only without signed text, because otherwise its end would be ambiguous.
      const reasoning = thoughts.length > 0 ? thoughts.map((one) => one.text).join('') : unsealed;
      const calls = toolCalls.map(
        ([made, signature]): ToolCall =>
          isSigned && signature !== undefined ? { ...made, thoughtSignature: signature } : made,
      );
      const choice: ChatChoice = {
        content,
        ...(reasoning !== '' && { reasoning }),
        ...(thoughts.length > 0 && { thoughts }),
        ...(calls.length > 0 && { toolCalls: calls }),
        finishReason: 'stop',
        ...(calls.length > 0 ? { finishReason: 'tool_calls' as const } : end),
      };
      return {
        choices: [choice],
        usage: {
          promptTokens: input + cached + written,
          completionTokens: output,
          cachedTokens: cached,
          cacheWriteTokens: written,
          reasoningTokens: thinking,
        },
      };
    });
