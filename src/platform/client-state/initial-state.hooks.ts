import type { Role } from '../actor';
import type { Queryable } from '../sql/queryable';
import { type Hooks } from '../hooks/hooks';
import { defineHook } from '../hooks/hook';

/** The registering client's account, reduced to what determines visible data. */
export interface StateReader {
  readonly userId: number;
  readonly role: Role;
}

/** The request of a registering client. */
export interface StateRequest {
  /** Null for anonymous clients, which see public data. */
  readonly reader: StateReader | null;
  /** Names of the enabled `client_capabilities`. */
  readonly capabilities: ReadonlySet<string>;
  /** Whether the client fetches this type; all if it omitted `fetch_event_types`. */
  wants(fetchType: string): boolean;
  /** Whether the client named this fetch type, rather than omitting the list. */
  isNamed(fetchType: string): boolean;
  readonly includeSubscribers: boolean | 'partial';
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** How far back presence goes, in days; null for the server's default. */
  readonly presenceHistoryDays: number | null;
}

/** Keys of the answer with their values; a value may be ready-made JSON text. */
export type StateKeys = Readonly<Record<string, unknown>>;

/**
 * Reads part of a client's initial state. It reads tables through `db` only, and writes nothing: `db` is one snapshot
 * of the database, and the directories in memory equal it.
 */
type StateReading = (db: Queryable, request: StateRequest) => StateKeys | Promise<StateKeys>;

/**
 * A client registers: listeners, created by {@link stateFor}, provide their parts of the state, which the events of its
 * queue keep current from then on.
 */
export const initialState = defineHook<[db: Queryable, request: StateRequest], StateKeys>('initialState');

/**
 * A listener to {@link initialState} that runs only for clients that fetch a type of `fetch_event_types`. Several may
 * serve the same type.
 * @param fetchTypes all of them must be fetched, for keys that need more than one
 */
export function stateFor(fetchTypes: string | readonly string[], read: StateReading): StateReading {
  const needed = [fetchTypes].flat();
  return (db, request) => (needed.every((type) => request.wants(type)) ? read(db, request) : {});
}

/** The whole initial state for a client. */
export async function readInitialState(
  hooks: Hooks,
  db: Queryable,
  request: StateRequest,
): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  for (const keys of await hooks.run(initialState, db, request)) {
    for (const [key, value] of Object.entries(keys)) {
      // One of them would overwrite the other.
      if (key in state) throw new Error(`Two listeners to initialState provide ${key}.`);
      state[key] = value;
    }
  }
  return state;
}
