import { maxCostPercent, maxKeyWeight } from '@headgate/contract';
import { z } from 'zod';

const variable = z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/) });
const file = z.strictObject({ file: z.string().min(1).max(1000) });

/** Reference to a secret; secrets are never in the file itself. */
export const secretReference = z
  .union([variable, file], { error: 'must be { env: NAME } or { file: path }' })
  .describe('Reference to a secret in an environment variable or a file');
export type SecretReference = z.output<typeof secretReference>;

const keyTerms = {
  weight: z.int().min(1).max(maxKeyWeight).default(1).describe('Share of the requests relative to the other keys'),
  cost_percent: z.int().min(1).max(maxCostPercent).default(100).describe("Cost as a percentage of the channel's cost"),
};

/** One of several keys of a channel, or a file with several. */
export const keyReference = z
  .union([variable.extend(keyTerms), file.extend(keyTerms)], {
    error: 'must be { env: NAME } or { file: path }, with weight and cost_percent if needed',
  })
  .describe('Reference to a key in an environment variable or a file');
