import { createHash } from 'node:crypto';
import { StateLaw, type WatcherName } from './state-law';
import type { TestApp } from './test-app';

/** These always watch; in addition, one of the others does, a different one per test file. */
const USUAL: readonly WatcherName[] = ['member', 'guest'];
const SAMPLED: readonly WatcherName[] = [
  'owner',
  'administrator',
  'moderator',
  'bot',
  'older client',
  'older guest',
];

/**
 * Checks the law of clients ({@link StateLaw}) in a whole test file. Watching starts with the first request that may
 * write, and the events are replayed when the server stops. Writes behind the interface send no events, so watching
 * ends before them and restarts afterwards.
 */
export class RunningLaw {
  private watch: Promise<StateLaw> | null = null;

  constructor(
    private readonly app: TestApp,
    testFile: string,
  ) {
    const [byte] = createHash('sha256').update(testFile).digest();
    this.watchers = [...USUAL, SAMPLED[(byte as number) % SAMPLED.length] as WatcherName];
  }

  private readonly watchers: readonly WatcherName[];

  /** Call it before anything that may write through the interface. */
  async begin(): Promise<void> {
    this.watch ??= StateLaw.watch(this.app, this.watchers);
    await this.watch.catch((error: unknown) => {
      this.watch = null;
      throw error;
    });
  }

  /** Ends watching. @throws Error listing the wrong state of clients */
  async end(): Promise<void> {
    const law = await this.watch;
    this.watch = null;
    await law?.check();
  }
}
