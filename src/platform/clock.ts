import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DynamicModule, Global, Injectable, Module } from '@nestjs/common';

/** The only source of the current time, so that tests can move it. */
@Injectable()
export class Clock {
  nowMs(): number {
    return Date.now();
  }

  /** Milliseconds for intervals within this process. Unlike the time of day, this clock is never adjusted. */
  monotonicMs(): number {
    return performance.now();
  }

  /** Whole UNIX seconds, UTC. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /**
   * Registers work that waits for a time. When a test moves the clock, due work runs before the move returns. The
   * system clock never runs it.
   */
  onMoved(_work: () => Promise<void>): void {
    // The system clock is never moved.
  }
}

/** Provides the {@link Clock} to all modules. */
@Global()
@Module({})
export class ClockModule {
  static forRoot(clock: Clock): DynamicModule {
    return { module: ClockModule, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}

/** Yields to the event loop so that it reads and serves other requests; the current turn ends first. */
export async function yieldToEventLoop(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/**
 * Rejects if an answer does not arrive in time. Milliseconds.
 * @param late creates the timeout error
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
