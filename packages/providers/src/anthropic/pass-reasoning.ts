import { type JsonObject, objectAt, type ReasoningSetting, textAt } from '@headgate/dialects';
import { thinkingSettings } from './thinking.ts';

/** Fields to set in a message request whose model name has a reasoning suffix. */
export function messagesReasoning({ effort, budget }: ReasoningSetting, body: JsonObject, model: string): JsonObject {
  const toolChoice = textAt(body['tool_choice'], 'type');
  const { effort: _effort, ...otherOutput } = objectAt(body, 'output_config');
  const { thinking, effort: level } = thinkingSettings(
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
