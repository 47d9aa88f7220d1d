import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { writesEnding } from '../../../platform/database/database.hooks';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { Jobs } from '../../../platform/jobs/jobs.service';
import {
  command,
  CommandRefused,
  operatorCommand,
  type OperatorContext,
} from '../../../platform/operator/operator-commands';
import { MoveInput } from '../operations.api';

/** Maximum pause of writes, whatever the command is waiting for. */
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Pauses writes for a command that copies the last changes, and stops the server once everything is copied. */
@Injectable()
export class PauseWritesService {
  private readonly logger = new Logger('Move');
  /** The move for which writes are paused. */
  private current: string | null = null;
  private hasMoved = false;

  constructor(
    private readonly hooks: Hooks,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly jobs: Jobs,
  ) {
    hooks.on(
      operatorCommand,
      command('move pause', MoveInput, (input, context) => this.pause(input, context)),
    );
    hooks.on(
      operatorCommand,
      command('move finish', MoveInput, async (input) => this.finish(input)),
    );
  }

  /**
   * Reports when requests start to be refused, and when all writes have ended. Ends with the command's connection, or
   * after some minutes, and then resumes writes unless the move is complete.
   * @throws CommandRefused
   */
  private async pause({ move }: MoveInput, { signal, report }: OperatorContext): Promise<object> {
    if (this.database.engine !== 'sqlite') throw new CommandRefused('The server already uses PostgreSQL.');
    if (this.current !== null || this.hasMoved) throw new CommandRefused('Another move is finishing.');
    this.current = move;
    let goOn = (): void => undefined;
    let release = (): void => undefined;
    try {
      goOn = await this.jobs.pause();
      signal.throwIfAborted();
      report({ done: 0, total: 1, what: 'pausing' });
      release = await this.transactions.pauseWrites(() => this.hooks.run(writesEnding));
      this.logger.log('Writes are paused while the move of the database finishes.');
      report({ done: 1, total: 1, what: 'paused' });
      await sleep(LONGEST_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    } finally {
      this.current = null;
      if (!this.hasMoved) {
        release();
        goOn();
        this.logger.warn('The move did not finish. Resuming writes.');
      }
    }
    if (!this.hasMoved) throw new CommandRefused('The write pause timed out, and the server resumed writes.');
    return {};
  }

  /** Everything is in the other database: this server writes nothing more, and the file must not be used again. */
  private finish({ move }: MoveInput): object {
    if (this.current !== move) throw new CommandRefused('The server resumed writes. Run this command again.');
    this.hasMoved = true;
    this.database.renameWhenClosed();
    this.logger.log('The database has been moved. Stopping.');
    process.kill(process.pid, 'SIGTERM');
    return {};
  }
}
