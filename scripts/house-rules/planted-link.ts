/** A link that reloads the console. */
export const plantedLink = {
  rule: 'console-links-use-the-router',
  file: 'packages/console/src/ui/planted.tsx',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a planted file.
  text: 'export const link = (id: number) => <a href={`/limit/edit/${id}`}>{id}</a>; // PLANTED\n',
};
