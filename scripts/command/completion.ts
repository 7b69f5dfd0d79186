import type { Command } from './product-commands.ts';

type Commands = Readonly<Record<string, Command>>;

/** Shell completion scripts, generated from the command table; they call no other program. */
export const completions: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish };

const optionsOf = ({ options = {} }: Command): readonly string[] => [
  ...Object.keys(options).map((name) => `--${name}`),
  '--help',
];

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) words="${optionsOf(command).join(' ')}" ;;`,
  );
  return `# headgate completion bash > /etc/bash_completion.d/headgate
_headgate() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${Object.keys(commands).join(' ')} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases.map((line) => `  ${line}`).join('\n')}
      *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _headgate headgate
`;
}

function zsh(commands: Commands): string {
  const names = Object.entries(commands).map(([name, { does }]) => `    ${quoted(`${name}:${does}`)}`);
  const cases = Object.entries(commands).map(
    ([name, command]) => `      ${name}) options=(${optionsOf(command).join(' ')}) ;;`,
  );
  return `#compdef headgate
# headgate completion zsh > "\${fpath[1]}/_headgate"
_headgate() {
  local -a commands options
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
  else
    case "$words[2]" in
${cases.join('\n')}
    esac
    compadd -- $options
    _files
  fi
}
compdef _headgate headgate
`;
}

function fish(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, { does, options = {} }]) => [
    `complete -c headgate -n __fish_use_subcommand -f -a ${name} -d ${quoted(does)}`,
    ...Object.entries(options).map(
      ([option, how]) =>
        `complete -c headgate -n '__fish_seen_subcommand_from ${name}' -l ${option}${how.value === undefined ? '' : ' -r'} -d ${quoted(how.does)}`,
    ),
  ]);
  return `# headgate completion fish > ~/.config/fish/completions/headgate.fish\n${lines.join('\n')}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
