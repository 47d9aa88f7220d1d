import type { Progress } from '../platform/operator/operator-command';

const WIDTH = 30;
/** Back to the start of the line, which is emptied. */
const CLEARED = '\r\x1b[2K';

/** Shows the progress of a command on a terminal; prints nothing when standard error is not a terminal. */
export class ProgressLine {
  private shown = '';

  show({ done, total, what }: Progress): void {
    if (!process.stderr.isTTY) return;
    const part = total > 0 ? Math.min(1, done / total) : 1;
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
    const line = `${bar} ${Math.floor(part * 100)} % ${what}`.slice(0, process.stderr.columns - 1);
    if (line !== this.shown) process.stderr.write(CLEARED + line);
    this.shown = line;
  }

  end(): void {
    if (this.shown !== '') process.stderr.write(CLEARED);
    this.shown = '';
  }
}
