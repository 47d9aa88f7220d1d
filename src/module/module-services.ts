import { Injectable } from '@nestjs/common';
import { AuditLog } from '../features/audit/audit.module';
import type { Actor } from '../platform/actor';
import { type Transaction, TransactionService } from '../platform/database/transaction.service';
import { defineEvent, type EventDefinition } from '../platform/events/server-event';
import { defineJob, type JobHandler, type JobKind, type NewJob } from '../platform/jobs/job';
import { Jobs } from '../platform/jobs/jobs.service';
import { declareName } from '../platform/modules/module-problems';

/** Audit log entries for actions of modules. */
@Injectable()
export class ModuleAudit {
  constructor(private readonly audit: AuditLog) {}

  /**
   * Records a change to other users or to the organization, in the transaction of the change.
   * @param what such as `polls.closed`; prefixed with the module's name
   * @param details no secrets, no contents of messages, and no personal data
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
 * Follow-up work of changes, immediate or scheduled, which survives restarts. One node runs it, and retries on failure.
 */
@Injectable()
export class ModuleJobs {
  constructor(private readonly jobs: Jobs) {}

  /**
   * Registers the handler of a kind of job. Call it in a constructor. A restored server holds its jobs back, unless the
   * handler declares with `leavesMachine: false` that they send nothing to other machines.
   */
  handle<Data>(kind: JobKind<Data>, handler: JobHandler<Data>): void {
    this.jobs.handle(kind, { leavesMachine: true, ...handler });
  }

  /**
   * Enqueues a job in the transaction of the change that causes it. It replaces a job of the same kind, group and key.
   */
  async enqueue<Data>(tx: Transaction, job: NewJob<Data>): Promise<void> {
    await this.jobs.enqueue(tx, job);
  }

  /** Cancels jobs by key. */
  async cancel(tx: Transaction, kind: JobKind<unknown>, keys: readonly string[]): Promise<void> {
    await this.jobs.cancel(tx, kind, keys);
  }
}

/**
 * The only way to write. The work receives the open transaction; if it rejects, nothing is stored. Do slow things
 * (files, network) before it.
 */
@Injectable()
export class Transactions {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * On PostgreSQL the work may run more than once, so it must change nothing but tables. @returns the result of the
   * work
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transactions.run(work);
  }
}

/**
 * Declares a kind of event: its name and its keys.
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
 * @param name begins with `module_` and the name of the module, such as `module_polls_close`; must never change,
 *   because it is stored in rows
 * @throws Error for another name
 */
export function defineModuleJob<Data>(name: string): JobKind<Data> {
  declareName(name);
  return defineJob<Data>(name);
}
