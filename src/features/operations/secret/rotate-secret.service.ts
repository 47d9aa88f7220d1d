import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { ProcessPurpose } from '../../../platform/lifecycle/periodic-task';
import {
  command,
  CommandRefused,
  NoInput,
  operatorCommand,
} from '../../../platform/operator/operator-commands';
import { ApiKeys, NamedApiKeys } from '../../../platform/secrets/api-keys';
import { readKnownFingerprint } from '../../../platform/secrets/secret-check.service';
import {
  forgetFormerSecret,
  readFormerSecret,
  readSecret,
  rotateSecret,
  SecretUnavailable,
} from '../../../platform/secrets/secret-file';
import { fingerprintOf, ServerSecret } from '../../../platform/secrets/server-secret';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory } from '../../users/users.module';
import { type RotatedSecret, RotateSecretInput, type SecretStatus } from '../operations.api';

const NOT_IN_USE = 'The server has not been started with the new secret yet. Restart it first.';

/** Offers the commands that replace the server's secret in the data folder. */
@Injectable()
export class RotateSecretService {
  constructor(
    hooks: Hooks,
    private readonly config: Config,
    private readonly secret: ServerSecret,
    private readonly apiKeys: ApiKeys,
    private readonly namedKeys: NamedApiKeys,
    private readonly accounts: AccountDirectory,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
    private readonly purpose: ProcessPurpose,
  ) {
    hooks.on(
      operatorCommand,
      command('secret status', NoInput, () => this.status()),
    );
    hooks.on(
      operatorCommand,
      command('secret rotate', RotateSecretInput, (input) => this.rotate(input)),
    );
  }

  private async status(): Promise<SecretStatus> {
    const { file } = this.secret;
    const former = file === null ? this.config.secretKeyPrevious : formerOf(file);
    return {
      isRotating: former !== null || this.config.secretKeyPrevious !== null,
      isInUse: await this.isInUse(),
      users: this.purpose.isServer ? this.usersOfFormer() : null,
      namedKeys: this.namedKeys.formerUses.size,
    };
  }

  private async rotate({ finish = false, force = false }: RotateSecretInput): Promise<RotatedSecret> {
    const file = this.requireFile();
    if (finish) await this.finish(file, force);
    else if (!(await this.isInUse())) throw new CommandRefused(NOT_IN_USE);
    else if (!attempt(() => rotateSecret(file))) {
      throw new CommandRefused(
        'A rotation is under way. End it first, with "parley secret rotate --finish".',
      );
    }
    return { file, isFinished: finish };
  }

  private async finish(file: string, isForced: boolean): Promise<void> {
    if (formerOf(file) === null) throw new CommandRefused('No rotation is under way.');
    if (!(await this.isInUse())) throw new CommandRefused(NOT_IN_USE);
    const count = this.usersOfFormer().length + this.namedKeys.formerUses.size;
    if (count > 0 && !isForced) {
      throw new CommandRefused(
        `API keys of the former secret are in use ("parley secret status" shows whose). To end them, add --force.`,
      );
    }
    attempt(() => forgetFormerSecret(file));
    await this.transactions.run(async (tx) =>
      this.audit.record(tx, THE_OPERATOR, 'server.former_secret_removed', {}),
    );
  }

  /** @throws {CommandRefused} if the secret is in the environment */
  private requireFile(): string {
    const { file } = this.secret;
    if (file === null) {
      throw new CommandRefused(
        'The secret is in SECRET_KEY. Set SECRET_KEY_PREVIOUS to it and SECRET_KEY to a new one, and restart.',
      );
    }
    if (this.config.secretKeyPrevious !== null) {
      throw new CommandRefused('SECRET_KEY_PREVIOUS is set. Remove it and restart before the next rotation.');
    }
    return file;
  }

  /** Whether the database contains the secret that the next start will use. */
  private async isInUse(): Promise<boolean> {
    const { file, current } = this.secret;
    const next = file === null ? current : attempt(() => readSecret(file));
    return (await readKnownFingerprint(this.database.read)) === fingerprintOf(next);
  }

  private usersOfFormer(): string[] {
    const { formerUses } = this.apiKeys;
    return [...this.accounts.all()]
      .filter(({ keyNonce }) => formerUses.has(keyNonce))
      .map(({ deliveryEmail }) => deliveryEmail);
  }
}

/** Null outside of a rotation. */
function formerOf(file: string): string | null {
  return attempt(() => readFormerSecret(file));
}

/** @throws {CommandRefused} if the file cannot be read or written */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SecretUnavailable) throw new CommandRefused(error.message);
    throw error;
  }
}
