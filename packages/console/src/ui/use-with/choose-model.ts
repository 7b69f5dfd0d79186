/** Stands where the gateway has named no model yet. */
export const modelPlaceholder = 'your-model';

/** Models that answer no conversation, by what their names have in common. */
const notForChat =
  /embed|rerank|moderation|whisper|tts|transcri|speech|audio|realtime|dall-e|image|video|sora|veo|flux|davinci|babbage|bge-/i;

/** Whether all these words, in any order, are parts of the model's name. */
export const isNamed = (model: string, words: string): boolean =>
  words.split(' ').every((word) => model.toLowerCase().includes(word));

/** The first model that has the earliest of the preferred words in its name, else the first that can chat. */
export function chooseModel(models: readonly string[], preferred: readonly string[] = []): string {
  const conversational = models.filter((model) => !notForChat.test(model));
  const fitting = preferred.map((words) => conversational.find((model) => isNamed(model, words)));
  return fitting.find((model) => model !== undefined) ?? conversational[0] ?? models[0] ?? modelPlaceholder;
}
