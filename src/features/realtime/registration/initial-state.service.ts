import { Injectable } from '@nestjs/common';
import { readInitialState, type StateRequest } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';

/** What a client is told first, and the number of the last event that this includes. */
export interface InitialState {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly eventNumber: number;
}

/** How often a change of the directories may get in the way before changes are kept away. */
const MAX_ATTEMPTS = 3;

/** Reads the state for clients that register: as it was at one moment, of which the place in the log is known. */
@Injectable()
export class InitialStateService {
  constructor(
    private readonly hooks: Hooks,
    private readonly directories: Directories,
    private readonly database: Database,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Half of the state comes from a view of the database, half from the directories in memory; both hold the
   * same version where it was the same before and after. Where too much changes for that, nothing of what the
   * directories hold may change for so long.
   */
  async read(request: StateRequest): Promise<InitialState> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const state = await this.attempt(request);
      if (state) return state;
    }
    const state = await this.transactions.runExclusive(() => this.attempt(request));
    if (!state) throw new Error('The directories changed while nothing may change them.');
    return state;
  }

  /** @returns null when the directories changed meanwhile */
  private async attempt(request: StateRequest): Promise<InitialState | null> {
    const view = await this.database.openSnapshot();
    try {
      await this.directories.catchUp();
      if (this.directories.version !== view.directoryVersion) return null;
      const keys = await readInitialState(this.hooks, view.db, request);
      const isSame = this.directories.version === view.directoryVersion;
      return isSame ? { keys, eventNumber: view.eventNumber } : null;
    } finally {
      await view.close();
    }
  }
}
