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

/** Every check, in the order in which they run. */
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

/** What became of a check. */
export interface CheckResult {
  readonly check: Check;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly explanation?: string;
  readonly seconds: number;
}

/** What a run came to. */
export interface ConformanceReport {
  readonly url: string;
  readonly level: number;
  readonly results: readonly CheckResult[];
  /** What the run made and could not take back. */
  readonly leftOver: readonly string[];
  /** Whether it was ended before its time. */
  readonly isCutShort: boolean;
}

/** Which server is examined, and how. */
export interface ConformanceOptions {
  readonly url: string;
  readonly email: string;
  readonly apiKey: string;
  /** Which checks are made; all if not given. */
  readonly checks?: readonly Check[];
  /** How long an event is waited for, 10 seconds if not given. */
  readonly patienceMs?: number;
  /** Ends the run before its time; what it made is taken back. */
  readonly signal?: AbortSignal;
  /** Is told of each check once it is done. */
  readonly onResult?: (result: CheckResult) => void;
}

/** The checks whose topic or name contains a text, regardless of case. */
export function checksFor(only = ''): readonly Check[] {
  const wanted = only.toLowerCase();
  return CHECKS.filter(({ topic, name }) => `${topic}: ${name}`.toLowerCase().includes(wanted));
}

/** Runs the checks against a server, and takes back what they made. @throws Error where it cannot begin */
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

/** What went wrong, with what brought it about. */
function causesOf(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
