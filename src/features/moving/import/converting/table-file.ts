import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Buffer size in characters. */
const BATCH = 1024 * 1024;

/** Writes a JSON file of one table row by row. */
export class TableFile {
  private readonly file: number;
  private text: string;
  private isFirst = true;

  /** @param table null for a file that is a bare list */
  constructor(
    path: string,
    private readonly table: string | null,
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.file = openSync(path, 'w', 0o600);
    this.text = table === null ? '[' : `{${JSON.stringify(table)}:[`;
  }

  add(row: object): void {
    this.text += `${this.isFirst ? '' : ','}\n${JSON.stringify(row)}`;
    this.isFirst = false;
    if (this.text.length > BATCH) this.flush();
  }

  close(): void {
    this.text += this.table === null ? ']' : ']}';
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    const bytes = Buffer.from(this.text);
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at);
    this.text = '';
  }
}
