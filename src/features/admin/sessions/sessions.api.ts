import type { SessionKind } from '../../users/users.module';
import { refusal } from '../../../platform/errors/api-error';

/** A session that has not ended. */
export interface SessionRecord {
  /** Identifies the session in paths. */
  readonly id: number;
  /** `browser`, or `token` for a program that signed in to the companion interface. */
  readonly kind: SessionKind;
  /** UNIX seconds. */
  readonly created_at: number;
  /** When it ends unless it is used before, UNIX seconds. */
  readonly expires_at: number;
  /** When it started or was last used: UNIX seconds, accurate to five minutes. */
  readonly last_used_at: number;
  /** IP address from which the person signed in. */
  readonly address: string;
  /** The user agent of the client that signed in; empty if there was none. */
  readonly user_agent: string;
  /** Whether the token or cookie of this request belongs to it. */
  readonly is_current: boolean;
}

/** The result of ending several sessions. */
export interface EndedSessions {
  /** How many sessions ended. */
  readonly ended: number;
}

/** A browser that is not asked for the caller's second-factor code. */
export interface RememberedBrowserRecord {
  /** Identifies the browser in paths. */
  readonly id: number;
  /** UNIX seconds; 0 if unknown. */
  readonly created_at: number;
  /** UNIX seconds. */
  readonly expires_at: number;
  /** When the browser last replaced a code, in UNIX seconds; null if never. */
  readonly last_used_at: number | null;
  /** IP address from which the code was sent; empty if unknown. */
  readonly address: string;
  /** The user agent of the browser; empty if unknown. */
  readonly user_agent: string;
  /** Whether this request came from the browser. */
  readonly is_current: boolean;
}

/** The result of forgetting browsers. */
export interface ForgottenBrowsers {
  /** How many browsers were forgotten. */
  readonly forgotten: number;
}

/** No such browser is remembered. */
export class NoSuchBrowser extends refusal('No such browser', { code: 'NOT_FOUND', status: 404 }) {}

/** The person has no session with this ID, or it has ended. */
export class NoSuchSession extends refusal('No such session', { code: 'NOT_FOUND', status: 404 }) {}
