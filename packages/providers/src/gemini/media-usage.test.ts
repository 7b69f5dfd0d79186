import { expect, it } from 'vitest';
import { toUsage } from './generate-response.ts';

it('[A68.7] reads audio and image tokens from the per-modality counts', () => {
  const usageMetadata = {
    promptTokenCount: 100,
    candidatesTokenCount: 1300,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 10 },
      { modality: 'AUDIO', tokenCount: 90 },
    ],
    candidatesTokensDetails: [
      { modality: 'IMAGE', tokenCount: 1290 },
      { modality: 'AUDIO', tokenCount: 'many' },
    ],
  };
  expect(toUsage({ usageMetadata })).toEqual({
    promptTokens: 100,
    completionTokens: 1300,
    audioTokens: 90,
    imageCompletionTokens: 1290,
  });
});
