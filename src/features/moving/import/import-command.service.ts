import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { isOwner, THE_OPERATOR } from '../../../platform/actor';
import { ArchiveRefused } from '../../../platform/archives/unpacking';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  command,
  CommandRefused,
  operatorCommand,
  type OperatorContext,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { Downloads } from './converting/downloads';
import { ImportInput, SlackImportInput } from './import-command.api';
import { ImportAloneService } from './import-alone.service';
import { advanceImportState, type ImportState, readImportState } from './import-state';
import { ImportStepsService } from './import-steps.service';
import { Ledger } from './records/ledger';
import { type LedgerSum, writeLedgerPage } from './records/ledger-page';
import { ArchiveSource } from './source/archive-source';
import { MattermostExportService } from './mattermost/mattermost-export.service';
import { SlackExportService } from './slack/slack-export.service';
import { type IdBases, type LocalFacts, Survey } from './source/survey';
import type { ImportContext, ImportStep, PreparedStep } from './tables/import-context';

/** Result of the command. */
interface ImportResult {
  /** Whether the same archive was imported before. */
  readonly wasThere: boolean;
  readonly isDryRun: boolean;
  readonly people: number;
  readonly channels: number;
  readonly messages: number;
  /** Path of the ledger, which lists everything that was not imported unchanged. A page for browsers is next to it. */
  readonly ledger: string;
  readonly summary: readonly LedgerSum[];
}

/** Tables whose imported rows keep their order and get IDs after the existing ones. */
const NUMBERED: readonly (keyof IdBases)[] = [
  'account',
  'user_group',
  'channel',
  'channel_folder',
  'custom_emoji',
  'custom_profile_field',
  'attachment',
  'message',
];

/** Imports a whole organization from a Zulip archive, or from the export of another product. */
@Injectable()
export class ImportCommandService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly directories: Directories,
    private readonly alone: ImportAloneService,
    private readonly accounts: AccountDirectory,
    private readonly steps: ImportStepsService,
    private readonly audit: AuditLog,
    slack: SlackExportService,
    mattermost: MattermostExportService,
    hooks: Hooks,
  ) {
    const target = ({ archive }: ImportInput) => archive;
    hooks.on(
      operatorCommand,
      command(
        'import zulip',
        ImportInput,
        (input, context) =>
          this.import(input, context, () => ArchiveSource.open(input.archive, config.dataDir, context)),
        target,
      ),
    );
    hooks.on(
      operatorCommand,
      command(
        'import slack',
        SlackImportInput,
        (input, context) => {
          const { archive, files = null, users = null, emoji = null, token = false, dryRun = false } = input;
          const options = { files, users, emoji, token };
          return this.import(input, context, (before) =>
            slack.open(archive, options, { isDryRun: dryRun, before }, context),
          );
        },
        target,
      ),
    );
    hooks.on(
      operatorCommand,
      command(
        'import mattermost',
        ImportInput,
        (input, context) => this.import(input, context, () => mattermost.open(input.archive, context)),
        target,
      ),
    );
  }

  /** @throws CommandRefused */
  private async import(
    { dryRun = false }: ImportInput,
    context: OperatorContext,
    open: (before: ImportState | null) => Promise<ArchiveSource>,
  ): Promise<ImportResult> {
    await this.alone.requireAlone();
    try {
      const before = await readImportState(this.database.read);
      const source = await open(before);
      try {
        return await this.importFrom(source, { before, isDryRun: dryRun }, context);
      } finally {
        await source.close();
      }
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw error;
      throw new CommandRefused(`The archive was refused. ${error.message}`);
    }
  }

  private async importFrom(
    source: ArchiveSource,
    { before, isDryRun }: { readonly before: ImportState | null; readonly isDryRun: boolean },
    operator: OperatorContext,
  ): Promise<ImportResult> {
    if (before !== null && before.digest !== source.digest)
      throw new CommandRefused(
        before.isFinished
          ? 'Another archive was imported here already, or this one with other options. Use another data folder.'
          : 'The import of another archive, or of this one with other options, is not finished. Run that command again.',
      );
    const local = await this.localFacts(before);
    const state = before ?? (await this.newState(source.digest, local.ownerId));
    const path = join(this.config.dataDir, isDryRun ? 'import-dry-run.jsonl' : 'import-ledger.jsonl');
    const wasThere = state.isFinished;
    const isContinued = before !== null && !isDryRun;
    const ledger = await Ledger.open(path, isContinued ? state : null);
    try {
      if (source.isForeign && !isContinued) await ledger.take(source.list('notes.json'));
      const survey = await Survey.of(source, { bases: state.bases, local, ledger }, operator);
      const import_: ImportContext = { source, survey, ledger, local, operator };
      if (isDryRun) await this.rehearse(import_);
      else if (!wasThere) await this.run(import_, { before, state });
      const counts = {
        people: survey.people,
        channels: survey.channels.size,
        messages: survey.messages.count,
      };
      if (!isDryRun) await Downloads.remove(this.config.dataDir);
      await ledger.flush();
      const summary = wasThere ? [] : await writeLedgerPage(path);
      return { wasThere, isDryRun, ...counts, ledger: path, summary };
    } finally {
      await ledger.close();
    }
  }

  /** @param begun the stored state, and the state to begin with */
  private async run(
    context: ImportContext,
    begun: { readonly before: ImportState | null; readonly state: ImportState },
  ): Promise<void> {
    const plan = await this.steps.plan(context);
    let { before, state } = begun;
    context.ledger.resume();
    /** @param noted length of the ledger up to this step, if a later step is already writing to it */
    const store = async (
      step: ImportStep,
      write: PreparedStep,
      done: readonly string[],
      noted?: number,
    ): Promise<void> => {
      const isFinished = step === plan.after.at(-1);
      let next: ImportState = { ...state, done: [...done, step.name], isFinished };
      await this.transactions.runExclusive(async (tx) => {
        await advanceImportState(tx, before, next);
        // A server on another machine may have accepted users since the first check.
        if (before === null) await this.alone.requireEmpty(tx);
        await write(tx);
        const begunState = next;
        const ledgerBytes = await context.ledger.flush();
        next = { ...next, ledgerBytes: noted ?? ledgerBytes };
        await advanceImportState(tx, begunState, next);
        if (isFinished) {
          const { count } = context.survey.messages;
          this.audit.record(tx, THE_OPERATOR, 'organization.imported', {}, { messages: count });
        }
      });
      before = state = next;
    };
    const carryOut = async (step: ImportStep, part: number): Promise<void> => {
      this.report(context, part, step.name);
      if (state.done.includes(step.name)) return;
      context.operator.signal.throwIfAborted();
      await store(step, await step.prepare(context), state.done);
    };
    for (const step of plan.before) {
      await carryOut(step, 0);
      await this.directories.loadAll();
    }
    const files = await plan.messages();
    const names = new Set(files.map(({ name }) => name));
    const isStored = files.findLastIndex(({ name }) => state.done.includes(name));
    let prepared = await files[isStored + 1]?.prepare(context);
    for (const [at, file] of files.entries()) {
      if (at <= isStored || prepared === undefined) continue;
      this.report(context, at / files.length, 'messages');
      // The last stored file implies those before it; all their names would soon take more space than the messages.
      const done = state.done.filter((name) => !names.has(name));
      // Prepares the next file while the database is busy with this one.
      const [stored, next] = await Promise.allSettled([
        store(file, prepared, done, context.ledger.bytes),
        files[at + 1]?.prepare(context),
      ]);
      if (stored.status === 'rejected') throw stored.reason;
      if (next.status === 'rejected') throw next.reason;
      prepared = next.value;
    }
    for (const step of plan.after) await carryOut(step, 1);
    await this.directories.loadAll();
  }

  private async rehearse(context: ImportContext): Promise<void> {
    const plan = await this.steps.plan(context);
    const steps = [...plan.before, ...(await plan.messages()), ...plan.after];
    for (const [at, step] of steps.entries()) {
      context.operator.signal.throwIfAborted();
      await (step.rehearse ? step.rehearse(context) : step.prepare(context));
      this.report(context, at / steps.length, step.name);
    }
  }

  private report({ survey, operator }: ImportContext, part: number, what: string): void {
    const total = survey.messages.count;
    operator.report({ done: Math.round(part * total), total, what });
  }

  private async localFacts(before: ImportState | null): Promise<LocalFacts> {
    const owner = before === null ? await this.onlyOwner() : this.accounts.existing(before.ownerId);
    const bots = await this.database.read.query<{ id: number; email: string }>(
      'SELECT id, email_key AS email FROM account WHERE is_system_bot = ?',
      [true],
    );
    const groups = await this.database.read.query<{ id: number; name: string }>(
      'SELECT id, name FROM user_group WHERE is_system = ?',
      [true],
    );
    return {
      ownerId: owner.id,
      ownerEmail: owner.emailKey,
      systemBots: new Map(bots.map(({ id, email }) => [email, id])),
      systemGroups: new Map(groups.map(({ id, name }) => [name, id])),
    };
  }

  /** @throws CommandRefused if there is more than the first start creates */
  private async onlyOwner(): Promise<AccountRecord> {
    const owner = this.accounts.all().find(({ isSystemBot }) => !isSystemBot);
    if (owner === undefined || !isOwner(owner))
      throw new CommandRefused('No organization here yet. Create one with "parley init".');
    await this.alone.requireEmpty(this.database.read);
    return owner;
  }

  private async newState(digest: string, ownerId: number): Promise<ImportState> {
    const bases: Partial<Record<keyof IdBases, number>> = {};
    for (const table of NUMBERED) {
      const { last } = await this.database.read.queryOne<{ last: number }>(
        `SELECT COALESCE(MAX(id), 0) AS last FROM ${table}`,
      );
      bases[table] = Number(last);
    }
    return { digest, bases: bases as IdBases, ownerId, done: [], isFinished: false };
  }
}
