import type { Check } from './check';
import { CheckSkipped } from './expectations';
import { Scene } from './scene';
import { AUTHENTICATION, CREDENTIALS } from './topics/authentication';
import { CHANGING } from './topics/changing';
import { CHANNELS } from './topics/channels';
import { ENVELOPE, IGNORED } from './topics/envelope';
import { EVENTS } from './topics/events';
import { FETCHING } from './topics/fetching';
import { GROUPS } from './topics/groups';
import { INVITATIONS, USERS } from './topics/users';
import { MESSAGES } from './topics/messages';
import { NARROWS } from './topics/narrows';
import { EMOJI, LINKIFIERS, SERVER_SETTINGS } from './topics/organization';
import { DRAFTS, PRESENCE, SCHEDULED, SNIPPETS } from './topics/personal-content';
import { FLAGS, REACTIONS } from './topics/reactions-and-flags';
import { SUBSCRIPTIONS } from './topics/subscriptions';
import { UPLOADS } from './topics/uploads';

/** Every check, in the order of execution. */
export const CHECKS: readonly Check[] = [
  SERVER_SETTINGS,
  AUTHENTICATION,
  CREDENTIALS,
  USERS,
  PRESENCE,
  INVITATIONS,
  CHANNELS,
  SUBSCRIPTIONS,
  MESSAGES,
  FETCHING,
  NARROWS,
  CHANGING,
  REACTIONS,
  FLAGS,
  GROUPS,
  EVENTS,
  DRAFTS,
  SCHEDULED,
  SNIPPETS,
  LINKIFIERS,
  EMOJI,
  UPLOADS,
  ENVELOPE,
  IGNORED,
].flat();

/** Result of a check. */
export interface CheckResult {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly explanation?: string;
  readonly seconds: number;
}

/** Result of a run. */
export interface ConformanceReport {
  readonly url: string;
  readonly level: number;
  readonly results: readonly CheckResult[];
  /** Objects that the run created and could not remove. */
  readonly leftOver: readonly string[];
  /** Whether it was aborted. */
  readonly isCutShort: boolean;
}

/** The server to test, and how. */
export interface ConformanceOptions {
  readonly url: string;
  readonly email: string;
  readonly apiKey: string;
  /** The checks to run; all by default. */
  readonly checks?: readonly Check[];
  /** Timeout for an event; 10 seconds by default. */
  readonly patienceMs?: number;
  /** Aborts the run; created objects are removed. */
  readonly signal?: AbortSignal;
  /** Called after each check. */
  readonly onResult?: (result: CheckResult) => void;
}

/** The checks whose topic or name contains a text, case-insensitive. */
export function checksFor(only = ''): readonly Check[] {
  const wanted = only.toLowerCase();
  return CHECKS.filter(({ topic, name }) => `${topic}: ${name}`.toLowerCase().includes(wanted));
}

/** Runs the checks against a server, and removes what they created. @throws Error if it cannot start */
export async function examine({
  url,
  email,
  apiKey,
  checks = CHECKS,
  patienceMs = 10_000,
  signal,
  onResult,
}: ConformanceOptions): Promise<ConformanceReport> {
  const address = url.replace(/\/+$/, '');
  const scene = await Scene.set(address, email, apiKey, patienceMs);
  const results: CheckResult[] = [];
  let leftOver: string[] = [];
  try {
    for (const check of checks) {
      if (signal?.aborted) break;
      const result = await resultOf(check, scene);
      results.push(result);
      onResult?.(result);
    }
  } finally {
    leftOver = await scene.tidy();
  }
  return { url: address, level: scene.level, results, leftOver, isCutShort: results.length < checks.length };
}

async function resultOf(check: Check, scene: Scene): Promise<CheckResult> {
  const since = performance.now();
  const result = (outcome: CheckResult['outcome'], explanation?: string): CheckResult => {
    return { check, outcome, explanation, seconds: (performance.now() - since) / 1_000 };
  };
  if (check.since !== undefined && scene.level < check.since)
    return result('skipped', `The server is at level ${scene.level}, and this came with ${check.since}.`);
  try {
    await check.run(scene);
    return result('passed');
  } catch (error) {
    if (error instanceof CheckSkipped) return result('skipped', error.message);
    return result('failed', error instanceof Error ? causesOf(error) : String(error));
  }
}

/** The error message, with its causes. */
function causesOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
