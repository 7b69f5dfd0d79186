import type { Language } from '../platform/errors/refusal.ts';

interface Words {
  readonly named: (nodes: string) => string;
  readonly unnamed: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    named: (nodes) =>
      `Done, but not yet confirmed by ${nodes}: there it takes effect as soon as the node answers again`,
    unnamed: 'Done, but a part of the gateway does not answer: there it takes effect later',
  },
  zh: {
    named: (nodes) => `已完成，但节点 ${nodes} 尚未确认：该节点恢复响应后才会生效`,
    unnamed: '已完成，但网关的部分节点没有响应：在那里会稍后生效',
  },
};

interface Reader {
  readonly language: Language;
  readonly isAdmin: boolean;
}

/** What a reply says of a change that some nodes have not confirmed; their names are for admins alone. */
export const unconfirmedWords = (nodes: readonly string[], { language, isAdmin }: Reader) => ({
  message: isAdmin ? words[language].named(nodes.join(', ')) : words[language].unnamed,
  unconfirmed: isAdmin ? nodes : [],
});
