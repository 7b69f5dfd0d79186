/** A token vocabulary, as named by the tokenizer. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** GPT-3.5, GPT-4 before 4o, and the embedding models, with any prefix such as a vendor or `ft:`. */
const older = /(?:^|[/:])(?:gpt-3\.?5|gpt-4(?:$|-)|text-embedding-)/;

/** Encoding of OpenAI's models; the closest available one for other models. */
export const encodingOf = (model: string): Encoding => (older.test(model) ? 'cl100k_base' : 'o200k_base');
