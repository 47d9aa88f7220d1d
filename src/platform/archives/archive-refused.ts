/** An archive is damaged, or built to do harm; the message names the entry. */
export class ArchiveRefused extends Error {
  constructor(
    /** Path within the archive, or of the archive itself. */
    readonly entry: string,
    reason: string,
  ) {
    super(`${printable(entry)}: ${reason}`);
    this.name = new.target.name;
  }
}

const SHOWN = 200;

/** Names come from strangers and end up on terminals. */
function printable(name: string): string {
  return name.slice(0, SHOWN).replace(/[^\x20-\x7e\u00a0-\u024f]/g, '?');
}
