import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { Hooks } from '../../platform/hooks/hooks';
import { accountActionRecorded, type AuditAction } from '../audit/audit.module';
import { FirstAccountsService } from './first-accounts.service';

/** Actions after which the file is no longer needed: the owner knows the password, or has another one. */
const ENDS_WITH: ReadonlySet<AuditAction> = new Set(['user.signed_in', 'user.password_changed']);

/**
 * The file `first-sign-in.txt` in the data folder. It contains the owner's generated password if the output goes to a
 * log, since logs are kept, copied and read by others. The owner's first sign-in or new password deletes it.
 */
@Injectable()
export class FirstSignInFile {
  private readonly path: string;

  constructor(config: Config, accounts: FirstAccountsService, hooks: Hooks) {
    this.path = join(config.dataDir, 'first-sign-in.txt');
    hooks.on(accountActionRecorded, (tx, action, userIds) => {
      if (!ENDS_WITH.has(action) || !existsSync(this.path)) return;
      const owner = accounts.findOwner()?.id;
      if (owner !== undefined && userIds.includes(owner)) tx.afterCommit(() => this.remove());
    });
  }

  /**
   * Writes the file, readable only by the server's user, replacing one of an interrupted start.
   * @param zuliprc path of the file with the owner's API key
   * @returns the text for the log
   */
  write(notice: string, zuliprc: string): string {
    this.remove();
    writeFileSync(this.path, `${notice}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return `New organization. The password of its owner is in ${this.path}, until the first sign-in; the API key is in ${zuliprc}.`;
  }

  /** Deletes the file, if it exists. */
  remove(): void {
    rmSync(this.path, { force: true });
  }
}
