/** Placeholder if the gateway has no model yet. */
export const modelPlaceholder = 'your-model';

/** Name patterns of models that do not support chat. */
const notForChat =
  /embed|rerank|-ocr|moderation|whisper|tts|transcri|speech|audio|realtime|dall-e|image|video|sora|veo|flux|davinci|babbage|bge-/i;

/** True if the model name contains all of these parts, in any order. */
export const matchesName = (model: string, message: string): boolean =>
  message.split(' ').every((word) => model.toLowerCase().includes(word));

/** First model that matches the earliest preference, otherwise the first chat model. */
export function chooseModel(models: readonly string[], preferred: readonly string[] = []): string {
  const conversational = models.filter((model) => !notForChat.test(model));
  const fitting = preferred.map((message) => conversational.find((model) => matchesName(model, message)));
  return fitting.find((model) => model !== undefined) ?? conversational[0] ?? models[0] ?? modelPlaceholder;
}
