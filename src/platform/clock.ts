import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DynamicModule, Global, Injectable, Module } from '@nestjs/common';

/** The only source of the current time, so that tests can move it. */
@Injectable()
export class Clock {
  nowMs(): number {
    return Date.now();
  }

  /** Milliseconds for intervals within this process: unlike the time of day, they are never put forward or back. */
  monotonicMs(): number {
    return performance.now();
  }

  /** Whole UNIX seconds, UTC. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /**
   * Registers work that waits for a time. When a test moves the clock, due work runs before the move returns. The
   * system clock never moves.
   */
  onMoved(_work: () => Promise<void>): void {
    // Never moved.
  }
}

/** Makes the one {@link Clock} injectable everywhere. */
@Global()
@Module({})
export class ClockModule {
  static forRoot(clock: Clock): DynamicModule {
    return { module: ClockModule, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}

/** Has the event loop read and serve other requests. The turn in which this is called ends before it reads any. */
export async function letOthersRun(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/**
 * Gives up on what has not answered within a time. Milliseconds.
 * @param late makes the error for it
 */
export async function answerWithin<T>(
  patienceMs: number,
  answer: Promise<T>,
  late = () => new Error(`No response within ${patienceMs} ms.`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), patienceMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
