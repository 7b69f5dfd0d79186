import { chatDemands, UpstreamProblem } from '@headgate/dialects';
import type { ChatAdaptor } from '../provider.ts';

/** Google ended PaLM on 15 August 2024. The type is kept for the channels that have it, which are told so. */
export const chat: ChatAdaptor = {
  kind: 'convert',
  takes: chatDemands,
  encode: () => {
    throw new UpstreamProblem(410, 'Google has retired PaLM; use a channel of type Google Gemini', 'model_retired');
  },
};
