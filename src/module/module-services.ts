import { Injectable } from '@nestjs/common';
import { AuditLog } from '../features/audit/audit.module';
import type { Actor } from '../platform/actor';
import { type Transaction, TransactionService } from '../platform/database/transaction.service';
import { defineEvent, type EventDefinition } from '../platform/events/server-event';
import { defineJob, type JobHandler, type JobKind, type NewJob } from '../platform/jobs/job';
import { Jobs } from '../platform/jobs/jobs.service';
import { declareName } from '../platform/modules/module-problems';

/** What owners find in the audit log about what modules do. */
@Injectable()
export class ModuleAudit {
  constructor(private readonly audit: AuditLog) {}

  /**
   * Records a change to other users or to the organization, in the transaction of the change.
   * @param what such as `polls.closed`; the name of the module comes first
   * @param details no secrets, no contents of messages, and nothing that says who a person is
   */
  async record(
    tx: Transaction,
    actor: Actor,
    what: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    this.audit.record(tx, actor, 'module.acted', {}, { what, ...details });
  }
}

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

/**
 * The only way to write. The work gets the open transaction as its argument; when it rejects, nothing of it is stored. Slow
 * things (files, network) belong before it.
 */
@Injectable()
export class Transactions {
  constructor(private readonly transactions: TransactionService) {}

  /** On PostgreSQL the work may run more than once, so it changes nothing but tables. @returns what the work resolves to */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transactions.run(work);
  }
}

/**
 * Declares one kind of event: what it is called and which keys it carries.
 * @param type `module_` and the name of the module, such as `module_polls`
 * @throws Error for another name
 */
export function defineModuleEvent<Payload extends object>(
  type: string,
  op?: string,
): EventDefinition<Payload> {
  declareName(type);
  return defineEvent<Payload>(type, op);
}

/**
 * Declares a kind of job.
 * @param name begins with `module_` and the name of the module, such as `module_polls_close`; never changes, because rows
 *   contain it
 * @throws Error for another name
 */
export function defineModuleJob<Data>(name: string): JobKind<Data> {
  declareName(name);
  return defineJob<Data>(name);
}
