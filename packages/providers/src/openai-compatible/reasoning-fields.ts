import { type JsonObject, type ReasoningSetting, textAt } from '@headgate/dialects';
import type { ExtraFeatures } from '../provider.ts';
import { reasoningUnsupported } from '../reasoning-unsupported.ts';
import { closestEffort } from './vendor-fields.ts';

/** Reasoning fields of all vendors, replaced as a whole. */
const replaced = ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking', 'thinking_budget'];

/** Fields for a chat request whose model name has a reasoning suffix. */
export function chatReasoning(
  setting: ReasoningSetting,
  body: JsonObject,
  model: string,
  features: ExtraFeatures = {},
): JsonObject {
  const removed = replaced.filter((name) => body[name] !== undefined).map((name) => [name, undefined]);
  return { ...Object.fromEntries(removed), ...ownFields(setting, model, features) };
}

function ownFields(setting: ReasoningSetting, model: string, features: ExtraFeatures): JsonObject {
  const effort = levelOf(setting, model, features.efforts);
  const { budget } = setting;
  const isOn = setting.effort !== 'none' && setting.effort !== 'minimal';
  const level = effort === undefined ? {} : { reasoning_effort: effort };
  switch (features.reasoningField) {
    case 'thinking':
      return { thinking: { type: isOn ? 'enabled' : 'disabled' }, ...level };
    case 'enable_thinking':
      return { enable_thinking: isOn, ...(isOn && budget !== undefined && { thinking_budget: budget }) };
    case 'reasoning':
      return { reasoning: budget === undefined ? { effort } : { max_tokens: budget } };
    default:
      return level;
  }
}

/** Fields for a Responses request whose model name has a reasoning suffix. */
export function responsesReasoning(setting: ReasoningSetting, body: JsonObject, model: string): JsonObject {
  const effort = levelOf(setting, model, []);
  const summary = textAt(body['reasoning'], 'summary');
  const reasoning = { ...(effort !== undefined && { effort }), ...(summary !== '' && { summary }) };
  return { reasoning: Object.keys(reasoning).length > 0 ? reasoning : undefined };
}

/** The closest level that the model accepts; undefined if reasoning is turned off by omitting the field. */
function levelOf(setting: ReasoningSetting, model: string, efforts: readonly string[] | undefined): string | undefined {
  const wanted = { reasoningEffort: setting.effort, reasoningBudget: setting.budget, extras: {} };
  const effort = closestEffort(wanted, model, efforts);
  if (effort === undefined && setting.effort !== 'none') throw reasoningUnsupported(model);
  return effort;
}
