import type { LogReason, OptionValues } from '@headgate/contract';

export type FailureKind = 'key_rejected' | 'empty_account' | 'model_gone' | 'overloaded';

type RuleOption = 'KeyRejectedRule' | 'EmptyAccountRule' | 'ModelGoneRule' | 'OverloadRule';

/** The option that says how often a kind of failure must happen. */
export const ruleOf: Readonly<Record<FailureKind, RuleOption>> = {
  key_rejected: 'KeyRejectedRule',
  empty_account: 'EmptyAccountRule',
  model_gone: 'ModelGoneRule',
  overloaded: 'OverloadRule',
};

export type RuleValues = Pick<OptionValues, RuleOption | 'AutomaticDisableChannelEnabled'>;

/** What speaks against a model of a channel. Who asks too often is only told to wait. */
const modelKinds: Partial<Readonly<Record<LogReason, FailureKind>>> = {
  not_found: 'model_gone',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  timeout: 'overloaded',
  unreachable: 'overloaded',
  bad_answer: 'overloaded',
};

export const modelKindOf = (reason: LogReason): FailureKind | undefined => modelKinds[reason];

export const keyKindOf = (reason: LogReason | ''): FailureKind =>
  reason === 'no_balance' ? 'empty_account' : 'key_rejected';

/** Refusals of a question that only a model which is there and works can give. */
const refusalsOfTheLiving: ReadonlySet<LogReason> = new Set(['refused_request', 'filtered', 'rate_limited']);

/** Whether a test found the model at work, though it may not have liked the question. */
export const isAtWork = (outcome: string | { readonly reason: LogReason }): boolean =>
  typeof outcome === 'string' || refusalsOfTheLiving.has(outcome.reason);

/** Parts of names of models that answer no question: they make vectors, pictures, sounds or rankings. */
const speechless = [
  'embed',
  'rerank',
  'moderation',
  'whisper',
  'transcribe',
  'tts',
  'dall-e',
  'image',
  'sora',
  'bge-',
  'flux',
  'stable-diffusion',
];

/** Whether the small question of a test says anything about the model. */
export const answersQuestions = (model: string): boolean => {
  const name = model.toLowerCase();
  return !speechless.some((part) => name.includes(part));
};
