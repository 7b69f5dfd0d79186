import { type JsonObject, objectAt, type ReasoningSetting } from '@headgate/dialects';
import { buildThinkingConfig } from './generation.ts';

/** Both spellings are accepted by Google. */
const configNames = ['generationConfig', 'generation_config'] as const;
const thinkingNames = ['thinkingConfig', 'thinking_config'] as const;

/** Fields to set in a `generateContent` request whose model name has a reasoning suffix. */
export function generateReasoning({ effort, budget }: ReasoningSetting, body: JsonObject, model: string): JsonObject {
  const name = configNames.find((each) => body[each] !== undefined) ?? configNames[0];
  const config = objectAt(body, name);
  const [used, other] = config[thinkingNames[1]] === undefined ? thinkingNames : thinkingNames.toReversed();
  const given = objectAt(config, used as string);
  const shown = given['includeThoughts'] ?? given['include_thoughts'];
  const { includeThoughts: _shown, ...thinking } =
    buildThinkingConfig(
      { reasoningEffort: effort, reasoningBudget: budget, extras: { hasReasoningSuffix: true } },
      model,
    ) ?? {};
  const own = { ...thinking, ...(shown !== undefined && { includeThoughts: shown }) };
  return {
    [name]: {
      ...config,
      [other as string]: undefined,
      [used as string]: Object.keys(own).length > 0 ? own : undefined,
    },
  };
}
