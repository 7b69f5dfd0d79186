import { type JsonObject, objectAt, type ReasoningSetting, textAt } from '@headgate/dialects';
import { thinkingFor } from './anthropic/thinking.ts';
import { thinkingOf } from './gemini/generation.ts';
import { chatReasoning, responsesReasoning } from './openai-compatible/reasoning-fields.ts';
import type { EndpointName, ExtraFeatures } from './provider.ts';

type WriteReasoning = (
  setting: ReasoningSetting,
  body: JsonObject,
  model: string,
  features?: ExtraFeatures,
) => JsonObject;

/** Endpoints that are passed through. Others have no reasoning settings. */
const writers: Partial<Readonly<Record<EndpointName, WriteReasoning>>> = {
  chat: chatReasoning,
  responses: responsesReasoning,
  messages: messagesReasoning,
  generateContent: generateReasoning,
};

/**
 * Fields to set in a request that is passed through and whose model name has a reasoning suffix; a field set to
 * undefined is removed. Throws a RequestProblem when the model does not support it.
 */
export const reasoningFields = (
  endpoint: EndpointName,
  setting: ReasoningSetting,
  body: JsonObject,
  { model, features }: { readonly model: string; readonly features?: ExtraFeatures | undefined },
): JsonObject => writers[endpoint]?.(setting, body, model, features) ?? {};

function messagesReasoning({ effort, budget }: ReasoningSetting, body: JsonObject, model: string): JsonObject {
  const toolChoice = textAt(body['tool_choice'], 'type');
  const { effort: _effort, ...otherOutput } = objectAt(body, 'output_config');
  const { thinking, effort: level } = thinkingFor(
    {
      reasoningEffort: effort,
      reasoningBudget: budget,
      maxTokens: typeof body['max_tokens'] === 'number' ? body['max_tokens'] : undefined,
      toolChoice: toolChoice === 'any' || toolChoice === 'tool' ? 'required' : undefined,
      tools: Array.isArray(body['tools']) ? body['tools'] : [],
      // The missing reasoning of a tool loop is handled by the endpoint.
      messages: [],
      extras: { hasReasoningSuffix: true },
    },
    model,
  );
  const output = { ...otherOutput, ...(level !== undefined && { effort: level }) };
  return { thinking, output_config: Object.keys(output).length > 0 ? output : undefined };
}

/** Both spellings are accepted by Google. */
const configNames = ['generationConfig', 'generation_config'] as const;
const thinkingNames = ['thinkingConfig', 'thinking_config'] as const;

function generateReasoning({ effort, budget }: ReasoningSetting, body: JsonObject, model: string): JsonObject {
  const name = configNames.find((each) => body[each] !== undefined) ?? configNames[0];
  const config = objectAt(body, name);
  const [used, other] = config[thinkingNames[1]] === undefined ? thinkingNames : thinkingNames.toReversed();
  const given = objectAt(config, used as string);
  const shown = given['includeThoughts'] ?? given['include_thoughts'];
  const { includeThoughts: _shown, ...thinking } =
    thinkingOf({ reasoningEffort: effort, reasoningBudget: budget, extras: { hasReasoningSuffix: true } }, model) ?? {};
  const own = { ...thinking, ...(shown !== undefined && { includeThoughts: shown }) };
  return {
    [name]: {
      ...config,
      [other as string]: undefined,
      [used as string]: Object.keys(own).length > 0 ? own : undefined,
    },
  };
}
