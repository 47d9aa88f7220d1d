import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/transaction.service';
import type { JobHandler, JobKind, NewJob } from '../platform/jobs/job';
import { Jobs } from '../platform/jobs/jobs.service';

/**
 * Work that follows from a change and is done after it, at once or at a given time, also after a restart. One node does it,
 * and tries again where it fails.
 */
@Injectable()
export class ModuleJobs {
  constructor(private readonly jobs: Jobs) {}

  /**
   * Registers the handler of a kind of job. To be called in a constructor. A restored server holds its jobs back, unless the
   * handler says by `leavesMachine: false` that they send nothing to other machines.
   */
  handle<Data>(kind: JobKind<Data>, handler: JobHandler<Data>): void {
    this.jobs.handle(kind, { leavesMachine: true, ...handler });
  }

  /** Writes a job in the transaction of the change that it follows from. It replaces one of the same kind, group and key. */
  async enqueue<Data>(tx: Transaction, job: NewJob<Data>): Promise<void> {
    await this.jobs.enqueue(tx, job);
  }

  /** Takes jobs back by their keys. */
  async cancel(tx: Transaction, kind: JobKind<unknown>, keys: readonly string[]): Promise<void> {
    await this.jobs.cancel(tx, kind, keys);
  }
}
