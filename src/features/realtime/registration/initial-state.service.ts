import { Injectable } from '@nestjs/common';
import { readInitialState, type StateRequest } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';

/** The state that a client gets first, and the number of the last event that it includes. */
export interface InitialState {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly eventNumber: number;
}

/** How often a concurrent change of the directories is tolerated before changes are locked out. */
const MAX_ATTEMPTS = 3;

/** Reads the state for registering clients, as of one moment whose place in the log is known. */
@Injectable()
export class InitialStateService {
  constructor(
    private readonly hooks: Hooks,
    private readonly directories: Directories,
    private readonly database: Database,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Reads half of the state from a database snapshot, half from the directories in memory; both have the same version
   * if it was the same before and after. If changes come too often for that, locks out directory changes while reading.
   */
  async read(request: StateRequest): Promise<InitialState> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const state = await this.attempt(request);
      if (state) return state;
    }
    const state = await this.transactions.runExclusive(() => this.attempt(request));
    if (!state) throw new Error('Directories changed during a read that requires them to be stable.');
    return state;
  }

  /** @returns null if the directories changed in between */
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
