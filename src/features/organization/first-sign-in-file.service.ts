import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { Hooks } from '../../platform/hooks/hooks';
import { accountActionRecorded } from '../audit/audit.module';
import { FirstAccountsService } from './first-accounts.service';

/** After these, the generated password is known to the owner, or another one. */
const ENDS_WITH = new Set(['user.signed_in', 'user.password_changed']);

/**
 * The file `first-sign-in.txt` in the data folder, which has the generated password of the owner where the output is a
 * log: logs are kept, copied and read by others. The first sign-in removes it, or another password.
 */
@Injectable()
export class FirstSignInFile {
  private readonly path: string;

  constructor(config: Config, accounts: FirstAccountsService, hooks: Hooks) {
    this.path = join(config.dataDir, 'first-sign-in.txt');
    hooks.on(accountActionRecorded, (tx, action, userIds) => {
      const owner = ENDS_WITH.has(action) ? accounts.findOwner()?.id : undefined;
      if (owner !== undefined && userIds.includes(owner)) tx.afterCommit(() => this.remove());
    });
  }

  /**
   * Writes the file, readable by its owner alone, in place of one of a start that was cut off.
   * @param zuliprc path of the file with the owner's API key
   * @returns what the log is to say
   */
  write(notice: string, zuliprc: string): string {
    this.remove();
    writeFileSync(this.path, `${notice}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return `New organization. The password of its owner is in ${this.path}, until the first sign-in; the API key is in ${zuliprc}.`;
  }

  private remove(): void {
    rmSync(this.path, { force: true });
  }
}
