import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { AccountDirectory } from '../users/users.module';

/** The server's URL, and the account with which a client signs in. */
interface ZuliprcContent {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/** The file `zuliprc` in the data folder, from which Zulip clients on the machine read the owner's credentials. */
@Injectable()
export class OwnerZuliprc {
  private readonly logger = new Logger('Zuliprc');
  private readonly path: string;

  constructor(
    private readonly config: Config,
    private readonly accounts: AccountDirectory,
    private readonly apiKeys: ApiKeys,
  ) {
    this.path = join(config.dataDir, 'zuliprc');
  }

  /**
   * Writes the file, readable only by its owner.
   * @returns its path
   */
  write({ email, key, site }: ZuliprcContent): string {
    mkdirSync(this.config.dataDir, { recursive: true });
    writeFileSync(this.path, textOf({ email, key, site }), { mode: 0o600 });
    return this.path;
  }

  /**
   * After a change of the secret, replaces the old key, which is valid only while the previous secret is configured. A
   * file with any other key was not written by the server and is kept.
   */
  renew(): void {
    const text = existsSync(this.path) ? readFileSync(this.path, 'utf8') : '';
    const [email, key] = [valueIn(text, 'email'), valueIn(text, 'key')];
    const account = email && this.accounts.byEmail(email);
    if (!account || !key) return;
    const current = this.apiKeys.apiKeyFor(account.keyNonce);
    if (key === current || !this.apiKeys.acceptedFor(account.keyNonce).includes(key)) return;
    // Replaced atomically: readers see the old or the new file.
    const draft = `${this.path}.${randomBytes(6).toString('hex')}`;
    writeFileSync(draft, text.replace(key, current), { mode: 0o600, flag: 'wx' });
    renameSync(draft, this.path);
    this.logger.log(`Updated ${this.path} with the key for the current secret.`);
  }
}

function textOf({ email, key, site }: ZuliprcContent): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

function valueIn(text: string, name: string): string | undefined {
  return new RegExp(`^${name}=(\\S+)\\s*$`, 'm').exec(text)?.[1];
}
