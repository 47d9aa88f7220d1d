import type { Role } from '../actor';
import type { Queryable } from '../database/queryable';

/** Who registers, as far as what may be seen depends on it. */
export interface StateReader {
  readonly userId: number;
  readonly role: Role;
}

/** What a client asks for when it registers (reference 6.1 of messages). */
export interface StateRequest {
  /** Null for somebody without an account, who sees what everybody on the web may. */
  readonly reader: StateReader | null;
  /** Names of the `client_capabilities` that are true. */
  readonly capabilities: ReadonlySet<string>;
  /** Whether this fetch type was asked for by name, not by leaving the list out. */
  isNamed(fetchType: string): boolean;
  readonly includeSubscribers: boolean | 'partial';
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** How far back presence goes, in days; null where the client leaves it to the server. */
  readonly presenceHistoryDays: number | null;
}

/** Keys of the answer and what is under them; a value may be JSON text that is ready to be sent. */
export type StateKeys = Readonly<Record<string, unknown>>;

/** Gives a client that registers one part of the state that the events of its queue keep up from then on. */
export interface StateContributor {
  /** The one of `fetch_event_types` that it serves. Several may serve the same. */
  readonly fetchType: string;
  /** Fetch types that the client must want as well, where a key needs more than one (reference 6.2). */
  readonly alsoNeeds?: readonly string[];

  /**
   * Reads tables through `db` only, and writes nothing: it is one snapshot of the database, and the directories
   * in memory equal it.
   */
  state(db: Queryable, request: StateRequest): Promise<StateKeys> | StateKeys;
}
