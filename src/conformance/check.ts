import type { Scene } from './scene';

/** A behavior that clients rely on, and why. */
export interface Check {
  readonly topic: string;
  readonly name: string;
  readonly reason: string;
  /** The first feature level with the behavior; all if omitted. */
  readonly since?: number;
  /** @throws {UnexpectedAnswer} if it fails; {CheckSkipped} if it cannot be determined */
  readonly run: (scene: Scene) => Promise<void>;
}

/** Declares the checks of a topic. */
export function topicOf(topic: string, ...checks: readonly Omit<Check, 'topic'>[]): Check[] {
  return checks.map((check) => ({ ...check, topic }));
}

/** Declares a check. */
export function check(
  name: string,
  reason: string,
  run: Check['run'],
  { since }: { readonly since?: number } = {},
): Omit<Check, 'topic'> {
  return { name, reason, run, since };
}
