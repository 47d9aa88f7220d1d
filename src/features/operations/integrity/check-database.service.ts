import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { IsBoolean, IsOptional } from 'class-validator';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, operatorCommand, type OperatorContext } from '../../../platform/operator/operator-commands';
import { accountInvariants, channelInvariants } from './invariants/accounts';
import { eventInvariants, searchInvariants, storageInvariants } from './invariants/stored-data';
import { groupInvariants } from './invariants/groups';
import { MOST_FINDINGS, type Invariant } from './invariants/invariant';
import { messageInvariants } from './invariants/messages';
import { invariantsSought } from './integrity.hooks';
import { StoredFilesService } from './stored-files.service';

/** Input of `check`. */
class CheckInput {
  /** Skips uploaded files, for a copy of the database alone. */
  @IsOptional() @IsBoolean({ message: '"withoutFiles" must be true or false.' }) withoutFiles?: boolean;
}

/** The result for one invariant. */
interface CheckedInvariant {
  readonly name: string;
  readonly about: string;
  readonly holds: boolean;
  /** The first violations. */
  readonly findings: readonly string[];
  readonly more: boolean;
}

/** A finding may be caused by a concurrent change, so it is checked again after this time. */
const SECOND_LOOK_MS = 1_000;

/** Checks all invariants of the database. */
@Injectable()
export class CheckDatabaseService {
  constructor(
    private readonly hooks: Hooks,
    private readonly database: Database,
    private readonly files: StoredFilesService,
  ) {
    hooks.on(
      operatorCommand,
      command('check', CheckInput, (input, context) => this.check(context, input)),
    );
  }

  async check(
    { signal, report }: OperatorContext,
    { withoutFiles = false }: CheckInput = {},
  ): Promise<{ invariants: CheckedInvariant[] }> {
    const leftOut = new Set(withoutFiles ? this.files.invariants : []);
    const asked = this.invariants.filter(
      (one) => !leftOut.has(one) && (one.engine ?? this.database.engine) === this.database.engine,
    );
    return this.database.longReads(async (db) => {
      const invariants: CheckedInvariant[] = [];
      for (const [at, invariant] of asked.entries()) {
        signal.throwIfAborted();
        report({ done: at, total: asked.length, what: invariant.name });
        invariants.push(await ask(db, invariant));
      }
      return { invariants };
    });
  }

  /** All invariants, including those that cannot be checked with this engine. */
  get invariants(): readonly Invariant[] {
    return [
      ...storageInvariants,
      ...accountInvariants,
      ...groupInvariants,
      ...channelInvariants,
      ...messageInvariants,
      ...searchInvariants,
      ...this.files.invariants,
      ...eventInvariants,
      ...this.hooks.ask(invariantsSought),
    ];
  }
}

async function ask(db: Queryable, invariant: Invariant): Promise<CheckedInvariant> {
  let found = await find(db, invariant);
  if (found.length > 0) {
    await pause(SECOND_LOOK_MS);
    found = await find(db, invariant);
  }
  const { name, about } = invariant;
  const findings = found.slice(0, MOST_FINDINGS);
  return { name, about, holds: found.length === 0, findings, more: found.length > MOST_FINDINGS };
}

function find(db: Queryable, invariant: Invariant): Promise<string[]> {
  return invariant.find(db).catch((error: unknown) => {
    return [`This could not be asked: ${error instanceof Error ? error.message : String(error)}`];
  });
}
