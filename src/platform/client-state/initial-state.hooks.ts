import type { Role } from '../actor';
import type { Queryable } from '../sql/queryable';
import { type Hooks } from '../hooks/hooks';
import { defineHook } from '../hooks/hook';

/** Who registers, as far as what may be seen depends on it. */
export interface StateReader {
  readonly userId: number;
  readonly role: Role;
}

/** What a client asks for when it registers. */
export interface StateRequest {
  /** Null for anonymous clients, who see public data. */
  readonly reader: StateReader | null;
  /** Names of the `client_capabilities` that are true. */
  readonly capabilities: ReadonlySet<string>;
  /** Whether the client fetches this type; all of them where it left `fetch_event_types` out. */
  wants(fetchType: string): boolean;
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

/**
 * Reads part of the state that a client is given. It reads tables through `db` only, and writes nothing: `db` is one
 * snapshot of the database, and the directories in memory equal it.
 */
type StateReading = (db: Queryable, request: StateRequest) => StateKeys | Promise<StateKeys>;

/**
 * A client registers: listeners, made by {@link stateFor}, give their parts of the state that the events of its queue
 * keep up from then on.
 */
export const initialState = defineHook<[db: Queryable, request: StateRequest], StateKeys>('initialState');

/**
 * A listener to {@link initialState} that only clients hear which fetch a type of `fetch_event_types`. Several may
 * serve the same type.
 * @param fetchTypes all of them have to be wanted, where keys need more than one
 */
export function stateFor(fetchTypes: string | readonly string[], read: StateReading): StateReading {
  const needed = [fetchTypes].flat();
  return (db, request) => (needed.every((type) => request.wants(type)) ? read(db, request) : {});
}

/** The whole state that a client asks for. */
export async function readInitialState(
  hooks: Hooks,
  db: Queryable,
  request: StateRequest,
): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  for (const keys of await hooks.run(initialState, db, request)) {
    for (const [key, value] of Object.entries(keys)) {
      // It would be right for one of them only.
      if (key in state) throw new Error(`Two listeners to initialState provide ${key}.`);
      state[key] = value;
    }
  }
  return state;
}
