import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { initialState, stateFor } from '../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../platform/hooks/hooks';
import { Clock } from '../../platform/clock';
import type { Queryable } from '../../platform/sql/queryable';
import { raiseState, readState } from '../../platform/database/server-state';
import { TransactionService } from '../../platform/database/transaction.service';
import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../platform/version';
import { AccountDirectory } from '../users/users.module';
import { serverRestarted } from './realtime.api';

const STATE_KEY = 'generation';

/**
 * Tells clients that the server was restarted, perhaps as another version: their queues go on, but what they know of
 * the server may be outdated. Starts are numbered by their times.
 */
@Injectable()
export class ServerStartService implements OnApplicationBootstrap {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm', async (db) => ({ server_generation: await generationIn(db) })),
    );
  }

  onApplicationBootstrap(): Promise<void> {
    return this.announce();
  }

  /** Tells the clients of a start. */
  async announce(): Promise<void> {
    await this.transactions.run(async (tx) => {
      // Nodes may start in the same second.
      const generation = await raiseState(tx, STATE_KEY, this.clock.nowSeconds());
      tx.emit(
        serverRestarted({
          zulip_version: ADVERTISED_VERSION,
          zulip_merge_base: ADVERTISED_VERSION,
          zulip_feature_level: FEATURE_LEVEL,
          server_generation: generation,
        }),
        this.accounts.active,
      );
    });
  }
}

async function generationIn(db: Queryable): Promise<number> {
  return Number(await readState(db, STATE_KEY));
}
