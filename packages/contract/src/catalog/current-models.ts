/** Dates at the end of a name, such as 2024-08-06, 20240806 or 0806, also before a suffix such as -preview. */
const snapshot = /-(?:20\d{2}-\d{2}-\d{2}|20\d{6}|[01]\d[0-3]\d)(?:-preview)?$/;

/** Preview and experimental versions of a released model, and retired families. */
const superseded = [
  /^(?:text-(?:davinci|curie|babbage|ada)-(?:\d{3}|edit)|davinci-002|babbage-002|text-moderation-)/,
  /^(?:gpt-3\.5-turbo-(?:16k|instruct|1106|0125)|gpt-4-(?:32k|vision-preview|turbo-preview|\d{4}-preview))/,
  /^(?:o1-(?:mini|preview)|chatgpt-4o-latest|tts-1(?:-hd)?-1106|dall-e-2$)/,
  /^claude-(?:instant|2|3)/,
  /^gemini-(?:pro$|1\.|2\.0-.*(?:exp|preview))/,
];

/**
 * The models to offer by default, without dated snapshots and superseded versions; all models if none would be left.
 */
export function currentModels(models: readonly string[]): string[] {
  const current = models.filter((name) => !snapshot.test(name) && !superseded.some((family) => family.test(name)));
  return current.length > 0 ? current : [...models];
}
