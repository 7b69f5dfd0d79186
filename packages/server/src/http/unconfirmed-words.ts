import type { Language } from '../refusal.ts';

const words: Readonly<Record<Language, (nodes: string) => string>> = {
  en: (nodes) => `Done, but not yet confirmed by ${nodes}: there it takes effect as soon as the node answers again`,
  zh: (nodes) => `已完成，但节点 ${nodes} 尚未确认：该节点恢复响应后才会生效`,
};

/** What a reply says of a change that some nodes have not confirmed: in words, and by their names. */
export const unconfirmedWords = (nodes: readonly string[], language: Language) => ({
  message: words[language](nodes.join(', ')),
  unconfirmed: nodes,
});
