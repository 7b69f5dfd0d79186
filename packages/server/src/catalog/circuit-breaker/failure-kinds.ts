import type { LogReason, OptionValues } from '@headgate/contract';

export type FailureKind = 'key_rejected' | 'empty_account' | 'model_gone' | 'overloaded';

type RuleOption = 'KeyRejectedRule' | 'EmptyAccountRule' | 'ModelGoneRule' | 'OverloadRule';

/** Option with the rule for each kind of failure. */
export const failureRuleOptions: Readonly<Record<FailureKind, RuleOption>> = {
  key_rejected: 'KeyRejectedRule',
  empty_account: 'EmptyAccountRule',
  model_gone: 'ModelGoneRule',
  overloaded: 'OverloadRule',
};

export type FailureRuleValues = Pick<OptionValues, RuleOption | 'AutomaticDisableChannelEnabled'>;

/** Failure reasons that count against a model of a channel. Rate limiting is excluded: the client only has to wait. */
const modelKinds: Partial<Readonly<Record<LogReason, FailureKind>>> = {
  not_found: 'model_gone',
  overloaded: 'overloaded',
  server_error: 'overloaded',
  timeout: 'overloaded',
  unreachable: 'overloaded',
  bad_answer: 'overloaded',
};

export const modelFailureKind = (reason: LogReason): FailureKind | undefined => modelKinds[reason];

export const keyFailureKind = (reason: LogReason | ''): FailureKind =>
  reason === 'no_balance' ? 'empty_account' : 'key_rejected';

/** Rejection reasons that only an existing, working model can return. */
const workingModelErrors: ReadonlySet<LogReason> = new Set(['refused_request', 'filtered', 'rate_limited']);

/** True if a test shows that the model works, even when it rejected the test request. */
export const provesModelWorks = (outcome: string | { readonly reason: LogReason }): boolean =>
  typeof outcome === 'string' || workingModelErrors.has(outcome.reason);

/** Substrings in the names of models that do not generate text: embeddings, images, audio, reranking and OCR. */
const nonTextModels = [
  'embed',
  'rerank',
  '-ocr',
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

/** True if the text request of a test is meaningful for this model. */
export const generatesText = (model: string): boolean => {
  const name = model.toLowerCase();
  return !nonTextModels.some((part) => name.includes(part));
};
