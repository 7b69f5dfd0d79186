import { type Command, completionCommand } from './product-commands.ts';

type Commands = Readonly<Record<string, Command>>;

/** Shell completion scripts, generated from the command table; they call no other program. */
export const completions: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: (commands) => bash(withCompletion(commands)),
  zsh: (commands) => zsh(withCompletion(commands)),
  fish: (commands) => fish(withCompletion(commands)),
};

const withCompletion = (commands: Commands): Commands => ({ ...commands, completion: completionCommand });

const optionsOf = ({ options = {}, argument }: Command): readonly string[] => [
  ...(argument?.choices ?? []),
  ...Object.keys(options).map((name) => `--${name}`),
  '--help',
];

/** Options whose value is a path, such as `--from`. */
const pathOptions = (commands: Commands): readonly string[] => [
  ...new Set(
    Object.values(commands).flatMap(({ options = {} }) =>
      Object.entries(options).flatMap(([name, { value = '' }]) => (/file|folder/.test(value) ? [`--${name}`] : [])),
    ),
  ),
];

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) words="${optionsOf(command).join(' ')}" ;;`,
  );
  return `# headgate completion bash > /etc/bash_completion.d/headgate
_headgate() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  COMPREPLY=()
  # Without replies bash completes file names.
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    ${pathOptions(commands).join('|')}) return ;;
  esac
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
    return
  fi
  case "$words[CURRENT-1]" in
    ${pathOptions(commands).join('|')}) _files; return ;;
  esac
  case "$words[2]" in
${cases.map((line) => line.slice(2)).join('\n')}
  esac
  compadd -- $options
}
# Loaded from fpath, this file is the body of the function at the first completion and must complete itself.
if [ "$funcstack[1]" = "_headgate" ]; then
  _headgate "$@"
else
  compdef _headgate headgate
fi
`;
}

function fish(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, { does, options = {}, argument }]) => [
    `complete -c headgate -n __fish_use_subcommand -f -a ${name} -d ${quoted(does)}`,
    ...(argument?.choices ?? []).map(
      (choice) => `complete -c headgate -n '__fish_seen_subcommand_from ${name}' -f -a ${choice}`,
    ),
    ...Object.entries(options).map(
      ([option, how]) =>
        `complete -c headgate -n '__fish_seen_subcommand_from ${name}' -l ${option}${how.value === undefined ? '' : ' -r'} -d ${quoted(how.does)}`,
    ),
  ]);
  return `# headgate completion fish > ~/.config/fish/completions/headgate.fish\n${lines.join('\n')}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
