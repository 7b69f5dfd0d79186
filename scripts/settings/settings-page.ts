import {
  type OptionKey,
  optionError,
  optionKeys,
  optionRow,
  optionSections,
  optionTabs,
} from '../../packages/contract/src/index.ts';
import { optionNotes } from './option-notes.ts';
import { type VariableGroup, variableGroups } from './variable-descriptions.ts';

/** Page of all settings: environment variables and console options, each from its table. */
export const settingsPage = (): string =>
  [
    '# Settings',
    '',
    '<!-- Written by `npm run settings-doc`; a test compares it with the tables of the code. -->',
    '',
    'Use this page to look up every environment variable and every option of the console. All of them have defaults.',
    '',
    '| | Set in | Takes effect |',
    '| --- | --- | --- |',
    '| [Variables](#variables) | the environment, or `.env` in the working directory | at start |',
    '| [Options](#options) | the console under *Settings*, the API, or a [configuration file](configuration-as-code.md) | immediately, on all nodes |',
    '',
    '`headgate doctor` reports invalid and misspelled variables.',
    '',
    '## Variables',
    '',
    ...variableGroups.flatMap(groupLines),
    '## Options',
    '',
    'Change them in the console, or with `PUT /api/option/` and `{"key": …, "value": …}`; the value is always a string. Secrets are never',
    'shown again.',
    '',
    'Admins can change all options except those marked **Super admin only**, which are read-only for them. These options would let an admin',
    'enter other accounts, weaken their protection, collect API keys or payloads of users, or lift a rule for admins:',
    '',
    ...rootReasons.map((row) => line(row)),
    '',
    'The configuration file has the rights of a super admin.',
    '',
    ...Object.keys(optionTabs).flatMap((tab) => tabLines(tab as keyof typeof optionTabs)),
  ].join('\n');

function groupLines({ title, variables }: VariableGroup): readonly string[] {
  const rows = Object.entries(variables).map(([name, { usual, means }]) =>
    line([code(name), usual === undefined ? '' : code(usual), means]),
  );
  return [`### ${title}`, '', line(['Variable', 'Default', 'Description']), line(['---', '---', '---']), ...rows, ''];
}

function tabLines(tab: keyof typeof optionTabs): readonly string[] {
  const sections = Object.entries(optionSections).filter(([, section]) => section.tab === tab);
  return sections.flatMap(([name, { label }]) => {
    const keys = optionKeys.filter((key) => optionRow(key).section === name);
    const title = `### ${label}`;
    const head = [line(['Option', 'Key', 'Default', 'Description']), line(['---', '---', '---', '---'])];
    return [title, '', `*${optionTabs[tab]} → ${label}*`, '', ...head, ...keys.map(optionLine), ''];
  });
}

function optionLine(key: OptionKey): string {
  const { label, initial, format, control } = optionRow(key);
  const usual = control === 'secret' ? '' : format(initial).replace(/\s+/g, ' ').trim();
  return line([label, code(key), usual === '' ? '' : code(usual), meaningOf(key)]);
}

function meaningOf(key: OptionKey): string {
  const { help, choices, control, changedBy, needs = [], sentTo = [] } = optionRow(key);
  const labels = (keys: readonly string[]) => keys.map((each) => `*${optionRow(each as OptionKey).label}*`).join(', ');
  const parts = [
    changedBy === 'root' ? '**Super admin only**' : undefined,
    help?.replace(/\.$/, ''),
    optionNotes[key],
    rangeOf(key),
    choices && `One of ${choices.map(code).join(', ')}`,
    control === 'ratios' ? 'JSON object of names and numbers' : undefined,
    needs.length > 0 ? `Needs ${labels(needs)}` : undefined,
    sentTo.length > 0 ? `Cleared when this changes: ${labels(sentTo)}` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('. ');
}

/** Range taken from the error message for invalid values. */
function rangeOf(key: OptionKey): string | undefined {
  if (!['integer', 'number'].includes(optionRow(key).control)) return undefined;
  const { min, max } = optionError(key, 'no number')?.values ?? {};
  const plain = (value: unknown) => Number(value).toLocaleString('en-US', { maximumFractionDigits: 6 });
  return `From ${plain(min)} to ${plain(max)}`;
}

/** Reason why options are limited to the super admin. */
const rootReasons: readonly (readonly string[])[] = [
  ['Options', 'What an admin could do with them'],
  ['---', '---'],
  ['server address', 'receive the codes in reset links and login redirects'],
  ['mail server', 'read reset links and verification codes of every user'],
  ['GitHub, Lark, WeChat, OpenID Connect', 'impersonate any identity and log in to accounts bound to it'],
  ['login methods', 're-enable a login method that the super admin disabled, or lock out other admins'],
  ['bot check', 'turn off or replace the check that slows down password guessing, resets and mass registration'],
  ['second factor of admins', 'lift the rule for themselves'],
  ['chat link', 'collect API keys: links to the chat app carry the key of the user'],
  ['payload logging', "read users' prompts and responses"],
  ['fields without a price', 'use files that belong to other users at a provider, at the expense of the owner'],
];

const code = (text: string): string => `\`${text}\``;

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
