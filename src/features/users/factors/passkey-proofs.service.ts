import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Clock } from '../../../platform/clock';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { credentialsChanged } from '../users.hooks';
import { type AuthenticatorData, isSignedBy, readAuthenticatorData, sha256 } from './authenticator-data';
import { MalformedCbor } from './cbor';
import { PasskeyChallenges, type PasskeyChallenge } from './passkey-challenges.service';
import { Passkey } from './passkey.entity';
import type { PasskeyProof, PasskeyRefusal } from './passkeys.api';
import { UsedChallenges } from './used-challenges.service';

/** The result of checking a response. */
export interface CheckedPasskey {
  /** Undefined for an unknown passkey. */
  readonly passkey?: Passkey;
  readonly refusal: PasskeyRefusal | null;
}

/** Verifies signatures of passkeys (WebAuthn, level 3, section 7.2), and that each response is used once. */
@Injectable()
export class PasskeyProofs {
  constructor(
    @InjectRepository(Passkey) private readonly passkeys: ReadRepository<Passkey>,
    private readonly transactions: TransactionService,
    private readonly challenges: PasskeyChallenges,
    private readonly used: UsedChallenges,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Verifies a passkey's response to a challenge of the session, optionally for one person only. Requires user
   * verification by PIN, fingerprint or face. Writes nothing before the signature is verified.
   * @param sessionId empty before sign-in
   */
  async use(proof: PasskeyProof, sessionId: string, userId?: number): Promise<CheckedPasskey> {
    const answer = this.read(proof, sessionId);
    if (!answer) return { refusal: 'wrong_passkey' };
    const owner = userId === undefined ? {} : { userId };
    const passkey = await this.passkeys.findOneBy({ credentialId: proof.credentialId, ...owner });
    if (!passkey) return { refusal: 'wrong_passkey' };
    if (!isSignedBy(passkey, answer.signed, answer.signature)) return { passkey, refusal: 'wrong_passkey' };
    const refusal = await this.transactions.run((tx) => this.take(tx, passkey, answer));
    return { passkey, refusal };
  }

  /** Whether the passkey still exists, as read in this transaction. */
  isThereIn(tx: Transaction, { id, userId }: Passkey): Promise<boolean> {
    return tx.repository(Passkey).existsBy({ id, userId });
  }

  /** Marks a challenge as used. @returns false if it was already used */
  spend(tx: Transaction, { challenge, expiresAt }: PasskeyChallenge): Promise<boolean> {
    return this.used.spend(tx, challenge, expiresAt);
  }

  private read(proof: PasskeyProof, sessionId: string): Answer | null {
    const [clientData, data, signature] = [proof.clientData, proof.authenticatorData, proof.signature].map(
      (text) => Buffer.from(text, 'base64url'),
    ) as [Buffer, Buffer, Buffer];
    const challenge = this.challenges.answered({ state: proof.state, clientData }, 'use', sessionId);
    const said = dataIn(data);
    if (!challenge || !said?.isVerified || !this.challenges.isOfSite(said.siteHash)) return null;
    return { challenge, said, signed: Buffer.concat([data, sha256(clientData)]), signature };
  }

  /** A signature counter that does not increase indicates a copy of the passkey. */
  private async take(
    tx: Transaction,
    { id, userId, name }: Passkey,
    { challenge, said: { signCount } }: Answer,
  ): Promise<PasskeyRefusal | null> {
    if (!(await this.spend(tx, challenge))) return 'wrong_passkey';
    const used = await tx.query(
      `UPDATE passkey SET sign_count = ?, last_used_at = ?
       WHERE id = ? AND (sign_count < ? OR sign_count + ? = 0) RETURNING id`,
      [signCount, this.clock.nowSeconds(), id, signCount, signCount],
    );
    if (used.length > 0) return null;
    if (!(await tx.repository(Passkey).existsBy({ id }))) return 'wrong_passkey';
    await this.hooks.run(credentialsChanged, tx, userId, 'passkey_copied', name);
    return 'passkey_copied';
  }
}

interface Answer {
  readonly challenge: PasskeyChallenge;
  readonly said: AuthenticatorData;
  readonly signed: Buffer;
  readonly signature: Buffer;
}

function dataIn(bytes: Buffer): AuthenticatorData | null {
  try {
    return readAuthenticatorData(bytes);
  } catch (error) {
    if (error instanceof MalformedCbor) return null;
    throw error;
  }
}
