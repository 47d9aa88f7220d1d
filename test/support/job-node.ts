import type { Config } from '../../src/platform/config/config';
import type { Clock } from '../../src/platform/clock';
import type { Database } from '../../src/platform/database/database.service';
import type { TransactionService } from '../../src/platform/database/transaction.service';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { ProcessPurpose } from '../../src/platform/lifecycle/periodic-task';
import { Metrics } from '../../src/platform/metrics/metrics';
import { Traces } from '../../src/platform/traces/traces';

/** Dependencies of jobs, as provided by `TestPlatform`. */
interface JobPlatform {
  readonly database: Database;
  readonly transactions: TransactionService;
  readonly clock: Clock;
}

/**
 * The jobs of one node, without an application. Register handlers before `onApplicationBootstrap`.
 * @param patienceSeconds how long running work may continue when the node stops
 */
export function jobNode(
  { database, transactions, clock }: JobPlatform,
  metrics = new Metrics(),
  patienceSeconds = 0.2,
): Jobs {
  const config = { shutdownTimeoutSeconds: patienceSeconds } as Config;
  return new Jobs(database, transactions, clock, metrics, config, new ProcessPurpose(true), new Traces(null));
}
