import type { Command } from 'commander';

/** A command with the options that every one has. */
export function commandOf(parent: Command, usage: string, about: string): Command {
  return parent
    .command(usage)
    .description(about)
    .option('--data-dir <folder>', 'data folder of the server (default: DATA_DIR, or else "data")')
    .option('--json', 'print the result as JSON');
}
