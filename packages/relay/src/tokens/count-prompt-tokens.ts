import type { PromptTexts } from './prompt-texts.ts';
import type { TokenSum } from './token-sum.ts';

/** Prompt tokens by the tokenizer; undefined when it cannot count them in time. */
export async function countPromptTokens({ texts, tokens, again }: PromptTexts, openSum: () => TokenSum) {
  const [counted, question] = await Promise.all([totalOf(texts, openSum), again ? totalOf([again.text], openSum) : 0]);
  if (counted === undefined || question === undefined) return undefined;
  return counted + tokens + question * (again?.times ?? 0);
}

function totalOf(texts: readonly string[], openSum: () => TokenSum): Promise<number | undefined> {
  const sum = openSum();
  sum.add(texts);
  return sum.total();
}
