import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { type PageAnswer, pageOf, type PageQuery, pageWindow } from '../../../platform/http/companion/paging';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ALGORITHMS, PasskeyChallenges, Passkeys } from '../../users/users.module';
import {
  type AddedPasskeyRecord,
  type AddPasskeyDto,
  type NewPasskeyChallenge,
  passkeyRecord,
  type PasskeyRecord,
  type PasskeyUseChallenge,
} from './passkeys.api';

/** The caller's own passkeys, as browsers make and use them. */
@Injectable()
export class OwnPasskeysService {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly challenges: PasskeyChallenges,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
  ) {}

  async list({ userId }: Actor, query: PageQuery): Promise<PageAnswer<PasskeyRecord>> {
    const window = pageWindow(query);
    return pageOf(await this.passkeys.of(userId), window, passkeyRecord);
  }

  /** @throws NoPasskeysHere */
  async begin({ userId }: Actor, sessionId: string): Promise<NewPasskeyChallenge> {
    const id = this.challenges.requireSite();
    const { challenge, state, timeout } = this.challenges.make('add', sessionId);
    const { deliveryEmail, fullName } = this.accounts.existing(userId);
    const known = await this.passkeys.of(userId);
    const options = {
      challenge,
      rp: { id, name: this.organization.settings.name },
      user: { id: this.passkeys.handleOf(userId), name: deliveryEmail, displayName: fullName },
      pubKeyCredParams: Object.values(ALGORITHMS).map((alg) => ({ type: 'public-key', alg }) as const),
      excludeCredentials: known.map(
        ({ credentialId }) => ({ type: 'public-key', id: credentialId }) as const,
      ),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout,
    } as const;
    return { state, options };
  }

  /** @throws NoPasskeysHere, PasskeyRefused, PasskeyKnown, TooManyPasskeys, ReauthenticationRequired */
  async add(actor: Actor, sessionId: string, body: AddPasskeyDto): Promise<AddedPasskeyRecord> {
    const { name, state, client_data: clientData, attestation_object: attestationObject } = body;
    const made = { name, state, clientData, attestationObject };
    const { passkey, recoveryCodes } = await this.passkeys.add(actor, sessionId, made);
    return { passkey: passkeyRecord(passkey), recovery_codes: recoveryCodes };
  }

  /** @throws NoSuchPasskey */
  async rename(actor: Actor, id: number, name: string): Promise<PasskeyRecord> {
    return passkeyRecord(await this.passkeys.rename(actor, id, name));
  }

  /** @throws NoSuchPasskey, ReauthenticationRequired */
  remove(actor: Actor, id: number, sessionId: string): Promise<void> {
    return this.passkeys.remove(actor, id, sessionId);
  }

  /** For proving again who one is. @throws NoPasskeysHere */
  use(sessionId: string): PasskeyUseChallenge {
    const { state, ...options } = this.challenges.toUse(sessionId);
    return { state, options };
  }
}
