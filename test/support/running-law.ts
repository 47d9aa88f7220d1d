import { createHash } from 'node:crypto';
import { StateLaw, type WatcherName } from './state-law';
import type { TestApp } from './test-app';

/** Always watching; one of the others does besides, another one in each test file. */
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
 * Holds a whole test file to the law of clients ({@link StateLaw}). Watching begins with the first request that may
 * write, and what was told is played through when the server stops. Writing behind the interface tells nobody, so
 * watching ends before and begins again after it.
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

  /** To be called before anything that may write through the interface. */
  async begin(): Promise<void> {
    this.watch ??= StateLaw.watch(this.app, this.watchers);
    await this.watch.catch((error: unknown) => {
      this.watch = null;
      throw error;
    });
  }

  /** Ends watching. @throws Error naming whatever clients believe and is not so */
  async end(): Promise<void> {
    const law = await this.watch;
    this.watch = null;
    await law?.check();
  }
}
