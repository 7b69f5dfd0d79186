import { RequestProblem } from '@headgate/dialects';

/** The model name has a reasoning suffix, but the model does not reason or its level cannot be set. */
export const reasoningUnsupported = (model: string): RequestProblem =>
  new RequestProblem('model', `${model} has no reasoning levels. Request the model without a reasoning suffix`);
