import type { SingleBar } from 'cli-progress';
import type { Progress } from '../platform/operator/operator-command';

/** Shows the progress of a command on a terminal; prints nothing when standard error is not a terminal. */
export class ProgressLine {
  private bar: SingleBar | undefined;

  show({ done, total, what }: Progress): void {
    if (!process.stderr.isTTY) return;
    if (!this.bar) {
      this.bar = this.make();
      this.bar.start(total, done, { what });
    }
    this.bar.setTotal(total);
    this.bar.update(done, { what });
  }

  end(): void {
    this.bar?.stop();
    this.bar = undefined;
  }

  private make(): SingleBar {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- few commands take so long that they need it
    const { Presets, SingleBar } = require('cli-progress') as typeof import('cli-progress');
    const format = '{bar} {percentage} % {what}';
    return new SingleBar({ format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic);
  }
}
