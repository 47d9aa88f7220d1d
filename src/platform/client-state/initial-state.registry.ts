import { Injectable } from '@nestjs/common';
import type { Queryable } from '../database/queryable';
import type { StateContributor, StateKeys, StateRequest } from './state-contributor';

/** Where features register what a client gets of them when it registers. */
@Injectable()
export class InitialStateRegistry {
  private readonly contributors: StateContributor[] = [];

  register(contributor: StateContributor): void {
    this.contributors.push(contributor);
  }

  /**
   * The state that a client asks for.
   * @param db one snapshot of the database, to which the directories in memory are equal until this ends
   * @param wants whether the client fetches this type; all of them where it left the list out
   */
  async collect(
    db: Queryable,
    request: StateRequest,
    wants: (fetchType: string) => boolean,
  ): Promise<Record<string, unknown>> {
    const state: Record<string, unknown> = {};
    for (const contributor of this.contributors) {
      const { fetchType, alsoNeeds = [] } = contributor;
      if (!wants(fetchType) || !alsoNeeds.every(wants)) continue;
      add(state, await contributor.state(db, request), fetchType);
    }
    return state;
  }
}

/** A key under which two contributors put something would be right for one of them only. */
function add(state: Record<string, unknown>, keys: StateKeys, fetchType: string): void {
  for (const [key, value] of Object.entries(keys)) {
    if (key in state) throw new Error(`Two contributors set ${key}; the second one serves ${fetchType}.`);
    state[key] = value;
  }
}
