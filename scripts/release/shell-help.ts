import type { Command } from 'commander';

/** A command with its parent commands, such as `user add`. */
interface Entry {
  readonly words: readonly string[];
  readonly command: Command;
}

function* entriesOf(command: Command, words: readonly string[] = []): Iterable<Entry> {
  yield { words, command };
  for (const child of command.commands) yield* entriesOf(child, [...words, child.name()]);
}

const optionsOf = (command: Command) => [...command.options.flatMap(({ long }) => long ?? []), '--help'];

/** The bash completion of commands and options, generated from their declarations. */
export function completionScript(program: Command): string {
  const cases = [...entriesOf(program)].map(({ words, command }) => {
    const known = [...command.commands.map((child) => child.name()), ...optionsOf(command)];
    return `    '${words.join(' ')}') known='${known.join(' ')}' ;;`;
  });
  return `# Completion of parley in bash.
_parley() {
  local current=\${COMP_WORDS[COMP_CWORD]} path= known= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case $path in
${cases.join('\n')}
    esac
    [ -n "$known" ] && break
    # What a command is about is no part of its name.
    case $path in *' '*) path=\${path% *} ;; *) path= ;; esac
  done
  mapfile -t COMPREPLY < <(compgen -W "$known" -- "$current")
  [ \${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
complete -F _parley parley
`;
}

/** The manual page of the program. @param time of the release */
export function manualPage(program: Command, version: string, time: Date): string {
  const escape = (text: string) =>
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      .replace(/^([.'])/gm, '\\&$1');
  const commands = [...entriesOf(program)].filter(({ command }) => command.commands.length === 0);
  return [
    `.TH PARLEY 1 ${time.toISOString().slice(0, 10)} "Parley ${version}" "Parley"`,
    '.SH NAME',
    'parley \\- run a Parley server, and look after it',
    '.SH SYNOPSIS',
    '.B parley',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH COMMANDS',
    ...commands.flatMap(({ words, command }) => [
      '.TP',
      `.B ${escape(`${words.join(' ')} ${command.usage().replace('[options]', '').trim()}`.trim())}`,
      escape(command.description()),
      ...command.options.flatMap(({ flags, description }) => [
        '.br',
        `\\fB${escape(flags)}\\fR: ${escape(description)}`,
      ]),
    ]),
    '.SH FILES',
    '.TP',
    '/etc/parley/parley.env',
    'Settings of the service.',
    '.TP',
    '/var/lib/parley',
    'Database, uploaded files, secret and backups.',
    '.SH SEE ALSO',
    '/usr/share/doc/parley\\-server',
    '',
  ].join('\n');
}
