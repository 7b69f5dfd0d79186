import { chatRequirements, UpstreamProblem } from '@headgate/dialects';
import type { ChatAdaptor, Provider } from '../provider.ts';

/**
 * Google shut down PaLM on 15 August 2024. The channel type is kept for existing channels and returns an error that
 * says so.
 */
export const chat: ChatAdaptor = {
  kind: 'convert',
  takes: chatRequirements,
  encode: () => {
    throw new UpstreamProblem(410, 'Google has retired PaLM; use a channel of type Google Gemini', 'model_retired');
  },
};

const palmModels: readonly string[] = ['PaLM-2'];

export const palm: Provider = { baseUrl: 'https://generativelanguage.googleapis.com', models: palmModels, chat };
