import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { type PageAnswer, pageOf, type PageQuery, pageWindow } from '../../../platform/http/companion/paging';
import { PasskeyChallenges, Passkeys } from '../../users/users.module';
import {
  type AddedPasskeyRecord,
  type AddPasskeyDto,
  type NewPasskeyChallenge,
  passkeyRecord,
  type PasskeyRecord,
  type PasskeyUseChallenge,
} from './passkeys.api';

/** The caller's own passkeys, as created and used by browsers. */
@Injectable()
export class OwnPasskeysService {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly challenges: PasskeyChallenges,
  ) {}

  async list({ userId }: Actor, query: PageQuery): Promise<PageAnswer<PasskeyRecord>> {
    const window = pageWindow(query);
    return pageOf(await this.passkeys.of(userId), window, passkeyRecord);
  }

  /** @throws NoPasskeysHere */
  begin(actor: Actor, sessionId: string): Promise<NewPasskeyChallenge> {
    return this.passkeys.begin(actor, sessionId);
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

  /** For authenticating again. @throws NoPasskeysHere */
  use(sessionId: string): PasskeyUseChallenge {
    return this.challenges.toUse(sessionId);
  }
}
