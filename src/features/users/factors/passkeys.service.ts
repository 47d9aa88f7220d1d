import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not } from 'typeorm';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { ReauthenticationRequired } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { SecretLinks } from '../../../platform/secrets/secret-links';
import { AuditLog } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../accounts/account.directory';
import { LoginSessionService } from '../sessions/login-session.service';
import { credentialsChanged } from '../users.hooks';
import { ALGORITHMS, dataOfAttestation, type NewCredential } from './authenticator-data';
import { MalformedCbor } from './cbor';
import { type PasskeyChallenge, PasskeyChallenges } from './passkey-challenges.service';
import { PasskeyProofs } from './passkey-proofs.service';
import { Passkey } from './passkey.entity';
import {
  type CreationOptions,
  type NewPasskey,
  NoSuchPasskey,
  PasskeyKnown,
  PasskeyRefused,
  TooManyPasskeys,
} from './passkeys.api';
import { type NewRecoveryCodes, RecoveryCodeService } from './recovery-codes.service';
import { SecondFactors } from './second-factors.service';

/** Maximum number of passkeys per person. */
const MAX_PASSKEYS = 20;

/** A passkey that is about to be created. */
export interface PendingPasskey {
  /** Opaque; the browser returns it with the response. */
  readonly state: string;
  readonly options: CreationOptions;
}

/** A passkey that was added. */
export interface AddedPasskey {
  readonly passkey: Passkey;
  /** Shown once, to people who had no second factor; null for others, whose codes stay valid. */
  readonly recoveryCodes: readonly string[] | null;
}

/** Adds, renames and removes people's own passkeys. */
@Injectable()
export class Passkeys implements OnApplicationBootstrap {
  private readonly logger = new Logger(Passkeys.name);

  constructor(
    @InjectRepository(Passkey) private readonly rows: ReadRepository<Passkey>,
    private readonly transactions: TransactionService,
    private readonly challenges: PasskeyChallenges,
    private readonly proofs: PasskeyProofs,
    private readonly factors: SecondFactors,
    private readonly recovery: RecoveryCodeService,
    private readonly sessions: LoginSessionService,
    private readonly links: SecretLinks,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {}

  /** Warns about passkeys of other hosts: browsers offer a passkey only on the host for which it was created. */
  async onApplicationBootstrap(): Promise<void> {
    const { site } = this.challenges;
    const lost = await this.rows.countBy(site === null ? {} : { site: Not(site) });
    if (lost > 0) {
      this.logger.warn(
        `${lost} passkeys are for another host than that of EXTERNAL_URL, and cannot be used.`,
      );
    }
  }

  /** A person's passkeys, oldest first. */
  of(userId: number): Promise<Passkey[]> {
    return this.rows.find({ where: { userId }, order: { id: 'ASC' } });
  }

  /** The options for creating a passkey in a session. @throws NoPasskeysHere */
  async begin({ userId }: Actor, sessionId: string): Promise<PendingPasskey> {
    const id = this.challenges.requireSite();
    const { challenge, state, timeout } = this.challenges.make('add', sessionId);
    const { deliveryEmail, fullName } = this.accounts.existing(userId);
    const options: CreationOptions = {
      challenge,
      rp: { id, name: this.organization.settings.name },
      user: { id: this.handleOf(userId), name: deliveryEmail, displayName: fullName },
      pubKeyCredParams: Object.values(ALGORITHMS).map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: (await this.of(userId)).map((known) => ({
        type: 'public-key',
        id: known.credentialId,
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout,
    };
    return { state, options };
  }

  /**
   * The authenticators' ID for a person: constant while the server's secret does not change, and derived so that it
   * reveals nothing about the account.
   */
  private handleOf(userId: number): string {
    return Buffer.from(this.links.signature('passkey-handles', String(userId))).toString('base64url');
  }

  /**
   * Adds a passkey that a browser just created in the session. A person's first factor ends their other sessions.
   * @throws PasskeyRefused, PasskeyKnown, TooManyPasskeys, NoPasskeysHere
   * @throws ReauthenticationRequired if there is a factor and the session has not verified it
   */
  async add(actor: Actor, sessionId: string, made: NewPasskey): Promise<AddedPasskey> {
    const { userId } = actor;
    const site = this.challenges.requireSite();
    const { challenge, credential, signCount } = this.checked(made, sessionId);
    const codes = (await this.factors.of(userId)).isOn ? null : await this.recovery.make();
    return this.transactions.runExclusive(async (tx) => {
      const passkeys = tx.repository(Passkey);
      const isFirst = !(await this.requireShown(tx, userId, sessionId));
      if (!(await this.proofs.spend(tx, challenge))) throw new PasskeyRefused();
      if ((await passkeys.countBy({ userId })) >= MAX_PASSKEYS) throw new TooManyPasskeys(MAX_PASSKEYS);
      const credentialId = credential.id.toString('base64url');
      if (await passkeys.existsBy({ credentialId })) throw new PasskeyKnown();
      const passkey = await passkeys.save({
        userId,
        name: made.name,
        credentialId,
        publicKey: credential.key.export({ format: 'der', type: 'spki' }).toString('base64url'),
        algorithm: credential.algorithm,
        site,
        signCount,
        createdAt: this.clock.nowSeconds(),
        lastUsedAt: null,
      });
      if (isFirst) await this.addFirst(tx, userId, sessionId, codes);
      this.audit.record(tx, actor, 'user.passkey_added', { userId }, { passkey: passkey.id });
      await this.hooks.run(credentialsChanged, tx, userId, 'passkey_added', made.name);
      return { passkey, recoveryCodes: isFirst ? codes!.codes : null };
    });
  }

  /** @throws NoSuchPasskey */
  async rename(actor: Actor, id: number, name: string): Promise<Passkey> {
    const { userId } = actor;
    return this.transactions.run(async (tx) => {
      await tx.repository(Passkey).update({ id, userId }, { name });
      const renamed = await tx.repository(Passkey).findOneBy({ id, userId });
      if (!renamed) throw new NoSuchPasskey();
      this.audit.record(tx, actor, 'user.passkey_renamed', { userId }, { passkey: id });
      return renamed;
    });
  }

  /**
   * Removes a passkey, and ends all other sessions of its owner.
   * @throws NoSuchPasskey
   * @throws ReauthenticationRequired if the session has not verified a factor
   */
  async remove(actor: Actor, id: number, sessionId: string): Promise<void> {
    const { userId } = actor;
    await this.transactions.runExclusive(async (tx) => {
      await this.requireShown(tx, userId, sessionId);
      const passkey = await tx.repository(Passkey).findOneBy({ id, userId });
      if (!passkey) throw new NoSuchPasskey();
      await tx.repository(Passkey).delete({ id });
      if (!(await this.factors.isOnIn(tx, userId))) {
        await this.factors.forgetRecoveryCodes(tx, userId, sessionId);
      }
      await this.sessions.endAll(tx, userId, sessionId);
      this.audit.record(tx, actor, 'user.passkey_removed', { userId }, { passkey: id });
      await this.hooks.run(credentialsChanged, tx, userId, 'passkey_removed', passkey.name);
    });
  }

  private async addFirst(
    tx: Transaction,
    userId: number,
    sessionId: string,
    codes: NewRecoveryCodes | null,
  ): Promise<void> {
    // The previous factor has just been removed.
    if (!codes) throw new PasskeyRefused();
    await this.factors.storeRecoveryCodes(tx, userId, codes);
    await this.sessions.endAll(tx, userId, sessionId);
    await this.sessions.setFactor(tx, sessionId, true);
  }

  /** @returns whether the person has a factor, which the session must have verified */
  private async requireShown(tx: Transaction, userId: number, sessionId: string): Promise<boolean> {
    if (!(await this.factors.isOnIn(tx, userId))) return false;
    if (!(await this.sessions.hasFactorIn(tx, sessionId))) throw new ReauthenticationRequired();
    return true;
  }

  /** Verifies a passkey that a browser created for this site and a challenge of the session. @throws PasskeyRefused */
  private checked(
    { state, clientData, attestationObject }: NewPasskey,
    sessionId: string,
  ): CheckedCredential {
    const answer = { state, clientData: Buffer.from(clientData, 'base64url') };
    const challenge = this.challenges.answered(answer, 'add', sessionId);
    if (!challenge) throw new PasskeyRefused();
    try {
      const data = dataOfAttestation(Buffer.from(attestationObject, 'base64url'));
      const { made: credential, signCount, siteHash, isVerified } = data;
      if (!credential || !isVerified || !this.challenges.isOfSite(siteHash)) throw new PasskeyRefused();
      return { challenge, credential, signCount };
    } catch (error) {
      if (error instanceof MalformedCbor) throw new PasskeyRefused();
      throw error;
    }
  }
}

interface CheckedCredential {
  readonly challenge: PasskeyChallenge;
  readonly credential: NewCredential;
  readonly signCount: number;
}
